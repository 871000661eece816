/** The query of the public gateways benchmark. Each request has its own number, so each response is different. */
import type { HttpRequest } from '../rows.ts';

const text = `
query Shop($from: Int!) {
  __typename
  users(from: $from) {
    ...Person
    reviews { ...Opinion product { ...Article reviews { ...Opinion author { ...Person reviews { ...Opinion product { ...Article } } } } } }
  }
  topProducts(from: $from) {
    ...Article
    reviews { ...Opinion author { ...Person reviews { ...Opinion product { ...Article } } } }
  }
}
fragment Person on User { id username name }
fragment Opinion on Review { id body }
fragment Article on Product { inStock name price shippingEstimate upc weight }`;

/** Placeholder for the number in a request body that is sent many times. */
export const counted = '"%number%"';

export const shopRequest: HttpRequest = {
  method: 'POST',
  path: '/graphql',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ query: text, variables: { from: '%number%' } }),
};
