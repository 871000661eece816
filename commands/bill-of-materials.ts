/** The components of the production dependencies with their licenses, from package-lock.json and without a network. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isRecord } from '../schema/records.ts';

const root = join(import.meta.dirname, '..');
const outputMaxBytes = 64 * 1024 * 1024;

interface Component {
  readonly name: string;
  readonly version: string;
  readonly 'bom-ref': string;
  readonly properties?: readonly { readonly name: string }[];
  readonly licenses?: readonly (
    { readonly expression: string } | { readonly license: { readonly id?: string; readonly name?: string } }
  )[];
}

/** A CycloneDX document. */
interface BillOfMaterials {
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
  readonly [member: string]: unknown;
}

/** Runs npm with the Node.js of this process. Resolves to its output and exit status. */
export async function runNpm(
  args: readonly string[],
): Promise<{ readonly stdout: string; readonly stderr: string; readonly status: number }> {
  const { npm_execpath: script } = process.env;
  const [program, first] = script === undefined ? ['npm', []] : [process.execPath, [script]];
  const options = { cwd: root, maxBuffer: outputMaxBytes };
  try {
    return { ...(await promisify(execFile)(program, [...first, ...args], options)), status: 0 };
  } catch (error) {
    const { stdout, stderr, code } = isRecord(error) ? error : {};
    if (typeof code !== 'number') throw error;
    return { stdout: String(stdout), stderr: String(stderr), status: code };
  }
}

const isBillOfMaterials = (value: unknown): value is BillOfMaterials =>
  isRecord(value) && Array.isArray(value['components']) && Array.isArray(value['dependencies']);

const isDevelopment = ({ properties = [] }: Component): boolean =>
  properties.some(({ name }) => name === 'cdx:npm:package:development');

const byReference = (a: Component, b: Component): number => (a['bom-ref'] < b['bom-ref'] ? -1 : 1);

/** A version 8 UUID (RFC 9562) of a text, so that equal documents have equal serial numbers. */
function serialOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The CycloneDX document of the locked production dependencies. Equal lockfiles give equal documents: without times, folders and npm versions. Throws Error when npm fails. */
export async function billOfMaterials(): Promise<BillOfMaterials> {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--include', 'dev', '--package-lock-only'];
  const { stdout, stderr, status } = await runNpm(args);
  if (status !== 0) throw new Error(`npm sbom failed with exit status ${status}.\n${stderr}`);
  const document: unknown = JSON.parse(stdout);
  if (!isBillOfMaterials(document)) throw new Error('npm sbom wrote no CycloneDX document.');
  const { metadata, serialNumber: _, components, dependencies, ...rest } = document;
  const { component } = isRecord(metadata) ? metadata : {};
  // without development dependencies, also by NODE_ENV=production, `npm sbom` would also omit production dependencies that development dependencies need
  const development = new Set(components.filter(isDevelopment).map((each) => each['bom-ref']));
  const stable = {
    ...rest,
    // npm names the component after the folder of the project
    metadata: {
      tools: [{ vendor: 'npm', name: 'cli' }],
      component: isRecord(component) ? { ...component, name: 'talent-platform' } : component,
    },
    components: components.filter((each) => !isDevelopment(each)).toSorted(byReference),
    dependencies: dependencies
      .filter(({ ref }) => !development.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => !development.has(each)).toSorted() }))
      .toSorted((a, b) => (a.ref < b.ref ? -1 : 1)),
  };
  return { serialNumber: serialOf(JSON.stringify(stable)), ...stable };
}

/** The license of a component as an SPDX expression; `none` without one. */
export function licenseOf({ licenses = [] }: Component): string {
  const all = licenses.map((each) => ('expression' in each ? each.expression : (each.license.id ?? each.license.name ?? 'none')));
  return all.length === 0 ? 'none' : all.join(' AND ');
}
