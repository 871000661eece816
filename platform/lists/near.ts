/** Filters and orders lists by the distance from a place. */
import { Problem } from '../../schema/errors.ts';
import { join, sql, type Sql } from '../database/database.ts';

/** A circle on the earth. Degrees of WGS 84. */
export interface Near {
  readonly latitude: number;
  readonly longitude: number;
  readonly radiusKm: number;
}

/** Mean radius of the earth in kilometers (IUGG). */
const earthRadiusKm = 6371.0088;
const degrees = (radians: number): number => (radians * 180) / Math.PI;

export const radiusDefaultKm = 50;

/**
 * The circle of the parameters `near` (`latitude,longitude`) and `radiusKm`; null without `near`. Throws Problem parameter_invalid (400) for a
 * place that does not exist, and for a radius or an order without a place.
 */
export function nearOf(
  { near, radiusKm }: { readonly near?: string | null | undefined; readonly radiusKm?: number | null | undefined },
  isOrder = false,
): Near | null {
  const invalid = (parameter: string, code: string, detail: string): Problem =>
    new Problem('parameter_invalid', detail, { errors: [{ parameter, code, detail }] });
  if (!near) {
    if (radiusKm) throw invalid('radiusKm', 'requires', '`radiusKm` requires `near`.');
    if (isOrder) throw invalid('sort', 'requires', 'The order by distance requires `near`.');
    return null;
  }
  const [latitude = NaN, longitude = NaN] = near.split(',').map(Number);
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180))
    throw invalid('near', 'format', '`near` must be a latitude and a longitude in degrees, such as 52.52,13.405');
  return { latitude, longitude, radiusKm: radiusKm ?? radiusDefaultKm };
}

const boxOf = (west: number, south: number, east: number, north: number): Sql =>
  sql`box(point(${west}::float8, ${south}::float8), point(${east}::float8, ${north}::float8))`;

/** The boxes in degrees that contain the circle: two where it crosses the antimeridian, all longitudes where it contains a pole. */
function boxesOf({ latitude, longitude, radiusKm }: Near): Sql[] {
  const angle = radiusKm / earthRadiusKm;
  // Wider than the circle, so that rounding excludes no place.
  const height = degrees(angle) + 0.001;
  const [south, north] = [Math.max(-90, latitude - height), Math.min(90, latitude + height)];
  const ratio = Math.sin(angle) / Math.cos((latitude * Math.PI) / 180);
  if (south === -90 || north === 90 || ratio >= 1) return [boxOf(-180, south, 180, north)];
  const width = degrees(Math.asin(ratio)) + 0.001;
  const [west, east] = [longitude - width, longitude + width];
  const boxes = [boxOf(Math.max(-180, west), south, Math.min(180, east), north)];
  if (west < -180) boxes.push(boxOf(west + 360, south, 180, north));
  if (east > 180) boxes.push(boxOf(-180, south, east - 360, north));
  return boxes;
}

/** The great-circle distance in meters from the center to a column of type `point` (longitude, latitude), by the haversine formula. */
export function distanceMeters(position: Sql, { latitude, longitude }: Near): Sql {
  const half = (from: Sql, to: number): Sql => sql`power(sin(radians(${from} - ${to}::float8) / 2), 2)`;
  const haversine = sql`${half(sql`(${position})[1]`, latitude)}
    + cos(radians((${position})[1])) * cos(radians(${latitude}::float8)) * ${half(sql`(${position})[0]`, longitude)}`;
  return sql`round(${2000 * earthRadiusKm}::float8 * asin(least(1, sqrt(${haversine}))))::int`;
}

/** Whether a column of type `point` (longitude, latitude) is in the circle. Uses its GiST index. */
export function isNear(position: Sql, near: Near): Sql {
  const boxes = boxesOf(near).map((box) => sql`${position} <@ ${box}`);
  return sql`((${join(boxes, ' or ')}) and ${distanceMeters(position, near)} <= ${Math.round(near.radiusKm * 1000)})`;
}
