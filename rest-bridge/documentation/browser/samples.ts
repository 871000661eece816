/** A request as code in three languages. Used by the server for the first sample, and by the page for the others. */

export interface SampleRequest {
  readonly method: string;
  /** Scheme and host. */
  readonly origin: string;
  /** Path of the version, such as /api/v1. */
  readonly base: string;
  /** Path of the operation below `base`, with placeholders in braces. */
  readonly template: string;
  readonly path: Readonly<Record<string, string>>;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** JSON text; null without one. */
  readonly body: string | null;
  /** Whether the body is an image. */
  readonly isImage: boolean;
  readonly isKeyRequired: boolean;
}

export type SampleLanguage = 'curl' | 'TypeScript' | 'Python';

/** The path with its parameters, and the query. */
export function targetOf({ base, template, path, query }: SampleRequest): string {
  const filled = template.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = path[name] ?? '';
    return value === '' ? placeholder : encodeURIComponent(value);
  });
  const search = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value).replaceAll('%2C', ',')}`);
  return base + filled + (search.length > 0 ? `?${search.join('&')}` : '');
}

const shellQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
const indented = (text: string, spaces: number): string => text.replaceAll('\n', `\n${' '.repeat(spaces)}`);
const keyVariable = 'TALENT_API_KEY';
const imageFile = 'image.png';

function curlOf(request: SampleRequest): string {
  const { method, origin, headers, body, isImage, isKeyRequired } = request;
  const options = [
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    ...(isKeyRequired ? [`-H "X-API-Key: $${keyVariable}"`] : []),
    ...headers.map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`),
    ...(isImage ? ["-H 'Content-Type: image/png'", `--data-binary @${imageFile}`] : []),
    ...(body === null ? [] : ["-H 'Content-Type: application/json'", `--data ${shellQuoted(body)}`]),
  ];
  return [`curl ${shellQuoted(origin + targetOf(request))}`, ...options].join(' \\\n  ');
}

/** JavaScript accepts JSON; members without need of quotes lose them. */
const scriptOf = (json: string): string => json.replaceAll(/^(\s*)"([A-Za-z_]\w*)":/gm, '$1$2:');

function typeScriptOf(request: SampleRequest): string {
  const { method, origin, headers, body, isImage, isKeyRequired } = request;
  const all = [
    ...(isKeyRequired ? [`'X-API-Key': process.env.${keyVariable}!`] : []),
    ...headers.map(([name, value]) => `'${name}': '${value.replaceAll("'", String.raw`\'`)}'`),
    ...(isImage ? [`'Content-Type': 'image/png'`] : []),
    ...(body === null ? [] : [`'Content-Type': 'application/json'`]),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(all.length === 0 ? [] : [`headers: { ${all.join(', ')} }`]),
    ...(isImage ? [`body: await readFile('${imageFile}')`] : []),
    ...(body === null ? [] : [`body: JSON.stringify(${indented(scriptOf(body), 2)})`]),
  ];
  const target = `'${origin + targetOf(request).replaceAll("'", '%27')}'`;
  const call = options.length === 0 ? target : `${target}, {\n  ${options.join(',\n  ')},\n}`;
  return `${isImage ? "import { readFile } from 'node:fs/promises';\n\n" : ''}const response = await fetch(${call});
if (!response.ok) throw new Error((await response.json()).detail);
${method === 'DELETE' ? '' : 'console.log(await response.json());\n'}`.trimEnd();
}

/** Python spells three words of JSON in another way. */
const pythonOf = (json: string): string =>
  json.replaceAll(
    /"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g,
    (token) => ({ true: 'True', false: 'False', null: 'None' })[token] ?? token,
  );

function pythonSampleOf(request: SampleRequest): string {
  const { method, origin, headers, body, isImage, isKeyRequired } = request;
  const all = [
    ...(isKeyRequired ? [`"X-API-Key": os.environ["${keyVariable}"]`] : []),
    ...headers.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`),
    ...(isImage ? ['"Content-Type": "image/png"'] : []),
  ];
  const options = [
    JSON.stringify(origin + targetOf(request)),
    ...(all.length === 0 ? [] : [`headers={${all.join(', ')}}`]),
    ...(isImage ? [`data=open("${imageFile}", "rb")`] : []),
    ...(body === null ? [] : [`json=${indented(pythonOf(body), 4)}`]),
  ];
  return `${isKeyRequired ? 'import os\n' : ''}import requests

response = requests.${method.toLowerCase()}(
    ${options.join(',\n    ')},
)
response.raise_for_status()
${method === 'DELETE' ? '' : 'print(response.json())'}`.trimEnd();
}

const writers: Readonly<Record<SampleLanguage, (request: SampleRequest) => string>> = {
  curl: curlOf,
  TypeScript: typeScriptOf,
  Python: pythonSampleOf,
};

/** The code of a request, which can be pasted and runs without further libraries, except Python's `requests`. */
export const sampleOf = (language: SampleLanguage, request: SampleRequest): string => writers[language](request);
