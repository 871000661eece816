/** A QR code as an SVG path, black on white in both color schemes. */
import { encode } from 'uqr';

interface QrCodeProps {
  /** Accessible name. */
  readonly label: string;
  readonly text: string;
}

/** The black modules as horizontal runs. */
const pathOf = (rows: readonly (readonly boolean[])[]): string =>
  rows
    .flatMap((row, y) =>
      row.flatMap((isBlack, x) => {
        if (!isBlack || row[x - 1] === true) return [];
        const end = row.indexOf(false, x);
        const length = (end === -1 ? row.length : end) - x;
        return [`M${x} ${y}h${length}v1h-${length}z`];
      }),
    )
    .join('');

export function QrCode({ label, text }: QrCodeProps) {
  const { data, size } = encode(text, { border: 4 });
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} width={220} height={220} shapeRendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={pathOf(data)} fill="#000" />
    </svg>
  );
}
