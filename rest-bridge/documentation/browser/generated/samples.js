export function targetOf({ base, template, path, query }) {
    const filled = template.replaceAll(/\{(\w+)\}/g, (placeholder, name) => {
        const value = path[name] ?? '';
        return value === '' ? placeholder : encodeURIComponent(value);
    });
    const search = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value).replaceAll('%2C', ',')}`);
    return base + filled + (search.length > 0 ? `?${search.join('&')}` : '');
}
const shellQuoted = (text) => `'${text.replaceAll("'", String.raw `'\''`)}'`;
const indented = (text, spaces) => text.replaceAll('\n', `\n${' '.repeat(spaces)}`);
const keyVariable = 'TALENT_API_KEY';
const imageFile = 'image.png';
function curlOf(request) {
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
const scriptOf = (json) => json.replaceAll(/^(\s*)"([A-Za-z_]\w*)":/gm, '$1$2:');
function typeScriptOf(request) {
    const { method, origin, headers, body, isImage, isKeyRequired } = request;
    const all = [
        ...(isKeyRequired ? [`'X-API-Key': process.env.${keyVariable}!`] : []),
        ...headers.map(([name, value]) => `'${name}': '${value.replaceAll("'", String.raw `\'`)}'`),
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
const pythonOf = (json) => json.replaceAll(/"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g, (token) => ({ true: 'True', false: 'False', null: 'None' })[token] ?? token);
function pythonSampleOf(request) {
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
const writers = {
    curl: curlOf,
    TypeScript: typeScriptOf,
    Python: pythonSampleOf,
};
export const sampleOf = (language, request) => writers[language](request);
