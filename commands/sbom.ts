/** `npm run sbom`: writes the software bill of materials of the production dependencies. */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { billOfMaterials } from './bill-of-materials.ts';
import { runCommand } from './command.ts';

const help = `Usage: npm run sbom [-- --output FILE]

Writes the components of the production dependencies with versions, hashes and licenses as CycloneDX JSON, from
package-lock.json and without a network. Equal lockfiles give equal files.
  --output FILE  default: sbom.cdx.json

Exit codes: 0 success, 1 failure, 2 invalid usage.`;

async function main(args: string[]): Promise<void> {
  const options = {
    output: { type: 'string', default: 'sbom.cdx.json' },
    help: { type: 'boolean', short: 'h', default: false },
  } as const;
  const { values } = parseArgs({ args, options });
  if (values.help) return console.log(help);
  const document = await billOfMaterials();
  await writeFile(values.output, `${JSON.stringify(document, null, 2)}\n`);
  console.log(`${values.output}: ${document.components.length} components`);
}

await runCommand(main);
