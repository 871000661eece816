/** `npm run licenses`: fails when a production dependency has a license that is not allowed. */
import { parseArgs } from 'node:util';
import { billOfMaterials, licenseOf } from './bill-of-materials.ts';
import { runCommand } from './command.ts';
import { isAllowedLicense } from './license-rules.ts';

const help = `Usage: npm run licenses

Lists the licenses of the production dependencies with their number, from package-lock.json and without a network.
Fails when one is not in commands/license-rules.ts.

Exit codes: 0 success, 1 a license is not allowed, 2 invalid usage.`;

async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { help: { type: 'boolean', short: 'h', default: false } } });
  if (values.help) return console.log(help);
  const { components } = await billOfMaterials();
  const found = components.map((component) => ({ ...component, license: licenseOf(component) }));
  const byLicense = Map.groupBy(found, ({ license }) => license);
  for (const [license, all] of [...byLicense].sort(([a], [b]) => (a < b ? -1 : 1))) console.log(`${all.length} ${license}`);
  const rejected = found.filter(({ name, license }) => !isAllowedLicense(name, license));
  if (rejected.length === 0) return;
  const lines = rejected.map(({ name, version, license }) => `  ${name}@${version}: ${license}`);
  throw new Error(
    `These licenses are not allowed:\n${lines.join('\n')}\nReplace the dependency, or add its license to commands/license-rules.ts.`,
  );
}

await runCommand(main);
