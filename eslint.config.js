import eslint from '@eslint/js';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['node_modules/', '.data/', 'coverage/', '**/generated/', 'dashboard/dist*/'] },
  eslint.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      complexity: ['error', 15],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      // `void (await x)` makes a promise of nothing out of a promise of something
      '@typescript-eslint/no-meaningless-void-operator': 'off',
      // what build functions return are closures without `this`, though their interfaces are written as methods
      '@typescript-eslint/unbound-method': 'off',
      // `const { id: _, ...rest } = input` takes a property away; an argument that only keeps its place begins with _
      '@typescript-eslint/no-unused-vars': [
        'error',
        { varsIgnorePattern: '^_+$', argsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'env',
          message: 'Read the environment through platform/env.ts (main.ts and commands/ only).',
        },
      ],
    },
  },
  { files: ['main.ts', 'commands/**', 'test/**', 'bench/**', 'evaluation/**'], rules: { 'no-restricted-properties': 'off' } },
  {
    // a story looks into answers as a client would: JSON without types, whose shape the expectations themselves check
    files: ['test/**'],
    rules: {
      complexity: 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      'no-restricted-syntax': [
        'error',
        {
          selector:
            "CallExpression[callee.property.name=/^toBeLessThan/][callee.object.arguments.0.type='BinaryExpression'][callee.object.arguments.0.left.callee.object.name='performance']",
          message:
            'A busy machine exceeds any upper bound of wall-clock time. Compare orders of events, statements or CPU time, or measure with `npm run bench`.',
        },
      ],
    },
  },
  {
    files: ['**/*.js'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { globals: { process: 'readonly', console: 'readonly' } },
  },
  {
    files: ['examples/live-scores/*.js'],
    languageOptions: {
      globals: {
        document: 'readonly',
        EventSource: 'readonly',
        fetch: 'readonly',
        location: 'readonly',
        URLSearchParams: 'readonly',
      },
    },
  },
);
