/** The mark of the platform, as in icon.svg. */
export const Logo = () => (
  <svg viewBox="0 0 32 32" width={24} height={24} aria-hidden style={{ flexShrink: 0 }}>
    <rect width="32" height="32" rx="7" fill="#1864ab" />
    <path d="M8 9h16v4h-6v11h-4V13H8z" fill="#fff" />
  </svg>
);
