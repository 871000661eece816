/** The nonce with which this page may add styles: the door wrote it into the page (Content-Security-Policy: style-src). */
export const nonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? '';

// react-remove-scroll, below Mantine's dialogs, asks for it by this name
Object.assign(globalThis, { __webpack_nonce__: nonce });
