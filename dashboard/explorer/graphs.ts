/** The two GraphQL APIs of the explorer: endpoint, authentication, and example queries. */

export interface ExploredGraph {
  readonly name: string;
  readonly path: string;
  readonly authentication: 'API_KEY' | 'SESSION';
  readonly links: readonly { readonly href: string; readonly label: string }[];
  readonly examples: readonly { readonly query: string; readonly variables?: string }[];
}

export const publicGraph: ExploredGraph = {
  name: 'GraphQL explorer',
  path: '/graphql',
  authentication: 'API_KEY',
  links: [
    { href: '/docs', label: 'REST API reference' },
    { href: '/admin', label: 'Dashboard' },
  ],
  examples: [
    {
      query: `# Public reads need no API key.
# Ctrl+Space completes, Ctrl+Enter runs the query.
query Athletes {
  athletes(first: 5, filter: { sport: [FOOTBALL] }) {
    nodes {
      displayName
      age
      organization {
        name
      }
    }
    pageInfo {
      nextCursor
    }
  }
}
`,
    },
    {
      query: `query Organizations($first: Int!) {
  organizations(first: $first) {
    nodes {
      name
      country
      teams {
        nodes {
          name
        }
      }
    }
  }
}
`,
      variables: '{ "first": 5 }',
    },
    {
      query: `# The scopes and the usage of your API key.
# Enter the key in the field above.
query Me {
  me {
    plan {
      name
    }
    scopes
  }
  usage {
    day {
      used
      limit
    }
  }
}
`,
    },
  ],
};

export const adminGraph: ExploredGraph = {
  name: 'Admin GraphQL explorer',
  path: '/admin/graphql',
  authentication: 'SESSION',
  links: [
    { href: '/admin', label: 'Dashboard' },
    { href: '/graphql', label: 'Public GraphQL explorer' },
    { href: '/docs', label: 'REST API reference' },
  ],
  examples: [
    {
      query: `# Requests use your session. Mutations require the scopes
# of your role and appear in the audit log.
query Keys {
  apiKeys(first: 10) {
    nodes {
      publicId
      name
      status
      account {
        name
      }
      lastUsedAt
    }
  }
}
`,
    },
    {
      query: `query Plans {
  plans {
    nodes {
      code
      version
      limits {
        burstPerMinute
        perDay
        perMonth
      }
    }
  }
}
`,
    },
  ],
};
