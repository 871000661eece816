/** The internal root field of each area that routers read to notice changes. */
import type { Area } from './areas.ts';

/** Name of the field of an area. */
export const changeStateField = (area: Area): `${Area}ChangeState` => `${area}ChangeState`;

/** SDL of the field of an area. */
export const changeStateTypeDefs = (area: Area): string => `
extend type Query {
  "An opaque text that differs after each commit with events of this area or with effects of events. Null while too many events wait to be numbered."
  ${changeStateField(area)}: String @tag(name: "internal")
}
`;
