/** The nonce for inline styles (Content-Security-Policy: style-src), which the router writes into the page. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? '';

// react-remove-scroll, used by Mantine's dialogs, reads this global
Object.assign(globalThis, { __webpack_nonce__: nonce });
