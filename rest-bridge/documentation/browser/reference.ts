/** The script of the documentation pages: search, samples in three languages, and requests from the page. */
import { sampleOf, targetOf, type SampleLanguage, type SampleRequest } from './samples.ts';

const languages: readonly SampleLanguage[] = ['curl', 'TypeScript', 'Python'];
const keyName = 'talent-api-key';
const languageName = 'talent-sample-language';

/** More characters of a response are not shown. */
const shownMax = 200_000;

/** The elements of a kind that a selector matches. */
const all = <Kind extends Element>(kind: new () => Kind, selector: string, root: ParentNode = document): Kind[] =>
  [...root.querySelectorAll(selector)].filter((each): each is Kind => each instanceof kind);

function element(tag: string, properties: Readonly<Record<string, string>>, ...children: (Node | string)[]): HTMLElement {
  const created = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) created.setAttribute(name, value);
  created.append(...children);
  return created;
}

const storedKey = (): string => sessionStorage.getItem(keyName) ?? '';

/** Shows the links whose text or path contains every word. */
function search(query: string): void {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const item of all(HTMLLIElement, 'nav li')) {
    const link = item.querySelector('a');
    const text = `${link?.textContent ?? ''} ${link?.title ?? ''}`.toLowerCase();
    item.hidden = !words.every((word) => text.includes(word));
    if (!item.hidden) count += 1;
  }
  for (const group of all(HTMLDetailsElement, 'nav details')) {
    const hasMatch = group.querySelector('li:not([hidden])') !== null;
    group.hidden = !hasMatch;
    if (words.length > 0) group.open = hasMatch;
    else group.open = group.querySelector('[aria-current]') !== null;
  }
  const message = document.querySelector('#nothing-found');
  if (message instanceof HTMLElement) message.hidden = count > 0;
}

function setUpSearch(): void {
  const [input] = all(HTMLInputElement, '#search');
  if (input === undefined) return;
  input.addEventListener('input', () => search(input.value));
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    document.querySelector<HTMLAnchorElement>('nav details li:not([hidden]) a')?.click();
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    input.focus();
  });
}

/** The field of an operation whose body is an image. */
const fileField = (section: HTMLElement): HTMLInputElement | undefined => all(HTMLInputElement, 'input[type=file]', section)[0];

/** The request of an operation with the values of its form. */
function requestOf(section: HTMLElement): SampleRequest {
  const { method = 'GET', base = '', path: template = '' } = section.dataset;
  const fields = all(HTMLElement, '[data-in]', section).flatMap((field) =>
    (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) && field.value !== ''
      ? [{ place: field.dataset['in'], name: field.name, value: field.value }]
      : [],
  );
  const valuesIn = (place: string): [string, string][] =>
    fields.filter((field) => field.place === place).map(({ name, value }) => [name, value]);
  const [body] = all(HTMLTextAreaElement, 'textarea[name=body]', section);
  return {
    ...{ method, base, template, origin: location.origin },
    path: Object.fromEntries(valuesIn('path')),
    query: valuesIn('query'),
    headers: valuesIn('header'),
    body: body === undefined || body.value.trim() === '' ? null : body.value,
    isImage: fileField(section) !== undefined,
    isKeyRequired: 'keyRequired' in section.dataset || storedKey() !== '',
  };
}

function show(section: HTMLElement): void {
  const language = languages.find((each) => each === localStorage.getItem(languageName)) ?? 'curl';
  const code = section.querySelector('pre.code');
  if (code !== null) code.textContent = sampleOf(language, requestOf(section));
  for (const tab of all(HTMLButtonElement, '[role=tab]', section))
    tab.setAttribute('aria-selected', String(tab.textContent === language));
}

const showAll = (): void => all(HTMLElement, '.operation').forEach(show);

function tabs(section: HTMLElement): HTMLElement {
  const buttons = languages.map((language) => {
    const button = element('button', { type: 'button', role: 'tab' }, language);
    button.addEventListener('click', () => {
      localStorage.setItem(languageName, language);
      showAll();
    });
    return button;
  });
  const copy = element('button', { type: 'button', class: 'copy' }, 'Copy');
  copy.addEventListener('click', () => {
    void navigator.clipboard.writeText(section.querySelector('pre.code')?.textContent ?? '').then(() => {
      copy.textContent = 'Copied';
      setTimeout(() => (copy.textContent = 'Copy'), 1500);
    });
  });
  const list = element('div', { role: 'tablist', 'aria-label': 'Language of the sample' }, ...buttons);
  return element('div', { class: 'tabs' }, list, copy);
}

/** JSON with indentation; other text as it is. */
function readable(text: string): string {
  const shown = text.length > shownMax ? `${text.slice(0, shownMax)}\n… ${text.length - shownMax} more characters` : text;
  try {
    return text.length > shownMax ? shown : JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return shown;
  }
}

async function send(section: HTMLElement, output: HTMLOutputElement): Promise<void> {
  const request = requestOf(section);
  const missing = /\{\w+\}/.exec(targetOf(request))?.[0];
  if (missing !== undefined) return output.replaceChildren(`Enter a value for ${missing}.`);
  const key = storedKey();
  const headers = new Headers(request.headers.map(([name, value]): [string, string] => [name, value]));
  if (key !== '') headers.set('X-API-Key', key);
  const file = fileField(section)?.files?.[0];
  if (request.body !== null) headers.set('Content-Type', 'application/json');
  if (file !== undefined) headers.set('Content-Type', file.type);
  output.replaceChildren('Sending …');
  const start = performance.now();
  const body = file ?? request.body;
  const response = await fetch(targetOf(request), { method: request.method, headers, body, credentials: 'omit' });
  const text = await response.text();
  const duration = Math.round(performance.now() - start);
  const shown = ['ratelimit', 'etag', 'location', 'link', 'x-request-id'].flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [`${name}: ${value}`];
  });
  output.replaceChildren(
    element('p', { class: response.ok ? 'ok' : 'failed' }, `${response.status} ${response.statusText} in ${duration} ms`),
    element('pre', {}, [...shown, '', readable(text)].join('\n').trim()),
  );
}

/** Tabs, the form and the sample of one operation. */
function setUpOperation(section: HTMLElement): void {
  section.querySelector('pre.code')?.before(tabs(section));
  show(section);
  const [form] = all(HTMLFormElement, 'form', section);
  const [output] = all(HTMLOutputElement, 'output', section);
  const [details] = all(HTMLDetailsElement, '.try', section);
  if (form === undefined || output === undefined || details === undefined) return;
  details.hidden = false;
  form.addEventListener('input', () => show(section));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    send(section, output).catch((error: unknown) => output.replaceChildren(`The request failed: ${String(error)}`));
  });
}

/** The field for the key. It is kept until the tab is closed. */
function setUpKey(): void {
  if (document.querySelector('.operation') === null) return;
  const input = element('input', {
    ...{ type: 'password', id: 'api-key', autocomplete: 'off', placeholder: 'Requests without a key', spellcheck: 'false' },
  });
  if (!(input instanceof HTMLInputElement)) return;
  input.value = storedKey();
  input.addEventListener('input', () => {
    sessionStorage.setItem(keyName, input.value.trim());
    showAll();
  });
  document.querySelector('label.search')?.after(element('label', { class: 'key' }, 'API key ', input));
}

/** Opens the schema, or the details around it, that the address names. */
function openTarget(): void {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const details = target?.closest('details');
  if (details) details.open = true;
  target?.scrollIntoView();
  const [menu] = all(HTMLInputElement, '#menu');
  if (menu) menu.checked = false;
}

/** A scrollable sample or table is reachable by keyboard, so that its hidden part can be read (WCAG 2.1.1). */
function setUpScrolling(): void {
  const sizes = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const isScrollable = target.scrollWidth > target.clientWidth || target.scrollHeight > target.clientHeight;
      if (isScrollable) target.setAttribute('tabindex', '0');
      else target.removeAttribute('tabindex');
    }
  });
  for (const scrolling of all(HTMLElement, 'pre, table')) sizes.observe(scrolling);
}

setUpKey();
setUpSearch();
setUpScrolling();
// an operation is set up when it comes into view: pages have up to a hundred
const observer = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting || !(target instanceof HTMLElement)) continue;
      observer.unobserve(target);
      setUpOperation(target);
    }
  },
  { rootMargin: '800px' },
);
for (const section of all(HTMLElement, '.operation')) observer.observe(section);
addEventListener('hashchange', openTarget);
if (location.hash !== '') openTarget();
document.querySelector('aside [aria-current]')?.scrollIntoView({ block: 'nearest' });
