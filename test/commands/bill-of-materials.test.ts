/** The bill of materials and the licenses of the production dependencies. */
import { describe, expect, test } from '@jest/globals';
import { readText } from '../architecture/source.ts';
import { billOfMaterials, licenseOf } from '../../commands/bill-of-materials.ts';
import { isAllowedLicense } from '../../commands/license-rules.ts';

test('the bill lists every production dependency with its locked version, and is the same every time', async () => {
  const [first, second] = [await billOfMaterials(), await billOfMaterials()];
  expect(JSON.stringify(second)).toBe(JSON.stringify(first));
  expect(first).toMatchObject({
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: expect.stringMatching(/^urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-a[\da-f]{3}-[\da-f]{12}$/),
    metadata: { component: { name: 'talent-platform', type: 'application' } },
  });
  expect(JSON.stringify(first)).not.toMatch(/"timestamp"/);
  const { dependencies } = JSON.parse(readText('package.json')) as { dependencies: Record<string, string> };
  const { packages } = JSON.parse(readText('package-lock.json')) as { packages: Record<string, { version: string }> };
  const listed = first.components.map(({ name, version }) => `${name}@${version}`);
  const locked = Object.keys(dependencies).map((name) => `${name}@${packages[`node_modules/${name}`]?.version ?? ''}`);
  expect(listed).toEqual(expect.arrayContaining(locked));
  expect(first.components.filter(({ name }) => /^(?:jest|eslint|typescript)$/.test(name))).toEqual([]);
});

test('every production dependency has an allowed license', async () => {
  const { components } = await billOfMaterials();
  const rejected = components.filter((component) => !isAllowedLicense(component.name, licenseOf(component)));
  expect(rejected.map(({ name }) => name)).toEqual([]);
});

describe('a license', () => {
  test.each([
    ['MIT', true],
    ['(MIT AND BSD-3-Clause)', true],
    ['MIT OR GPL-3.0-only', true],
    ['GPL-3.0-only OR MIT', true],
    ['MIT AND GPL-3.0-only', false],
    ['MIT AND (GPL-3.0-only OR MIT)', false],
    ['GPL-3.0-only', false],
    ['AGPL-3.0-or-later', false],
    ['SSPL-1.0', false],
    ['BUSL-1.1', false],
    ['LGPL-3.0-or-later', false],
    ['Elastic-2.0', false],
    ['SEE LICENSE IN LICENSE.md', false],
    ['UNLICENSED', false],
    ['none', false],
  ])('%s: allowed is %s', (license, allowed) => expect(isAllowedLicense('any', license)).toBe(allowed));

  test('is excepted for the named dependency only', () => {
    expect(isAllowedLicense('@img/sharp-libvips-linux-x64', 'LGPL-3.0-or-later')).toBe(true);
    expect(isAllowedLicense('@apollo/composition', 'Elastic-2.0')).toBe(true);
    expect(isAllowedLicense('@apollo/other', 'Elastic-2.0')).toBe(false);
  });

  test('is read from both forms, and is `none` without one', () => {
    const component = { name: 'a', version: '1.0.0', 'bom-ref': 'a@1.0.0' };
    expect(licenseOf({ ...component, licenses: [{ license: { id: 'MIT' } }] })).toBe('MIT');
    expect(licenseOf({ ...component, licenses: [{ expression: 'MIT OR ISC' }] })).toBe('MIT OR ISC');
    expect(licenseOf(component)).toBe('none');
  });
});
