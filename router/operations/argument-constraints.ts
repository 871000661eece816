/** Checks the constraints of arguments and inputs (@range, @pattern, @length) before an operation runs; free where none are declared. */
import {
  isInterfaceType,
  isObjectType,
  Kind,
  OperationTypeNode,
  TypeInfo,
  valueFromAST,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { DocumentNode, GraphQLArgument, GraphQLSchema, ValueNode } from 'graphql';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Violation } from '../../schema/errors.ts';
import { Problem } from '../../schema/errors.ts';
import { locate, summaryOf } from '../../schema/violations.ts';
import type { LocatedViolation } from '../../schema/violations.ts';
import { createJsonSchemas, hasBounds, reachableInputs } from '../../schema/json-schema.ts';
import { scalarFormats } from '../../schema/scalars.ts';

/** Maximum number of listed violations; the summary counts all. */
const reportedViolations = 50;

export interface ArgumentConstraints {
  /** The check of one operation's arguments, or null when none has constraints. */
  compile(document: DocumentNode, operationName: string | null): ArgumentCheck | null;
}

/** Throws parameter_invalid (queries) or validation_failed (mutations) with every violation. `variables` are coerced. */
export type ArgumentCheck = (variables: Readonly<Record<string, unknown>>) => void;

interface Use {
  readonly argument: GraphQLArgument;
  readonly value: ValueNode;
  /** The argument's path for messages: `athletes.first`. */
  readonly where: string;
}

/** The violation with a path into the document: `createClub.input.name`. */
function located({ path, code, detail }: LocatedViolation, where: string): Violation {
  return { parameter: `${where}${path.replaceAll('/', '.')}`, code, detail };
}

/** Compiles checks for one schema. A validator is created on first use: the bridge checks REST operations itself. */
export function createArgumentConstraints(schema: GraphQLSchema): ArgumentConstraints {
  const ajv = new Ajv2020({ allErrors: true, verbose: true, allowUnionTypes: true, strict: true, addUsedSchema: false });
  addFormats.default(ajv);
  for (const [name, accepts] of Object.entries(scalarFormats)) ajv.addFormat(name, accepts);
  const bounded = new Map<GraphQLArgument, boolean>();
  const validators = new Map<GraphQLArgument, ValidateFunction>();

  function isBounded(argument: GraphQLArgument): boolean {
    let known = bounded.get(argument);
    if (known === undefined) {
      const inputs = reachableInputs(argument.type).flatMap((input) => Object.values(input.getFields()));
      known = [argument, ...inputs].some((each) => hasBounds(schema, each));
      bounded.set(argument, known);
    }
    return known;
  }

  function validatorOf(argument: GraphQLArgument): ValidateFunction {
    let validator = validators.get(argument);
    if (validator === undefined) {
      const schemas = createJsonSchemas(schema, { prefix: '#/$defs/' });
      const root = schemas.of(argument);
      validator = ajv.compile({ ...root, $defs: schemas.components() });
      validators.set(argument, validator);
    }
    return validator;
  }

  function usesOf(document: DocumentNode): Use[] {
    const uses: Use[] = [];
    const info = new TypeInfo(schema);
    visit(
      document,
      visitWithTypeInfo(info, {
        Field(node) {
          const parent = info.getParentType();
          if (!isObjectType(parent) && !isInterfaceType(parent)) return;
          const definition = parent.getFields()[node.name.value];
          for (const given of node.arguments ?? []) {
            const argument = definition?.args.find(({ name }) => name === given.name.value);
            if (argument === undefined || !isBounded(argument)) continue;
            uses.push({ argument, value: given.value, where: `${node.alias?.value ?? node.name.value}.${argument.name}` });
          }
        },
      }),
    );
    return uses;
  }

  return {
    compile(document, operationName) {
      const uses = usesOf(document);
      if (uses.length === 0) return null;
      const isMutation = document.definitions.some(
        (definition) =>
          definition.kind === Kind.OPERATION_DEFINITION &&
          definition.operation === OperationTypeNode.MUTATION &&
          (operationName === null || definition.name?.value === operationName),
      );
      return (variables) => {
        const violations = uses.flatMap(({ argument, value, where }) => {
          const actual = valueFromAST(value, argument.type, variables);
          // absent: the default satisfies the constraints, or the argument is optional
          if (actual === undefined) return [];
          const validator = validatorOf(argument);
          if (validator(actual)) return [];
          return locate(validator.errors ?? []).map((violation) => located(violation, where));
        });
        if (violations.length === 0) return;
        throw new Problem(isMutation ? 'validation_failed' : 'parameter_invalid', summaryOf(violations), {
          errors: violations.slice(0, reportedViolations),
        });
      };
    },
  };
}
