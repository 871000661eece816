/** The two graphs that can be explored: where they are asked, who asks, and examples to begin with. */

export interface ExploredGraph {
  readonly name: string;
  readonly path: string;
  /** How one says who asks: by an API key, or by the session of the dashboard. */
  readonly asks: 'KEY' | 'SESSION';
  readonly links: readonly { readonly href: string; readonly label: string }[];
  readonly examples: readonly { readonly query: string; readonly variables?: string }[];
}

export const publicGraph: ExploredGraph = {
  name: 'GraphQL explorer',
  path: '/graphql',
  asks: 'KEY',
  links: [
    { href: '/docs', label: 'REST reference' },
    { href: '/admin', label: 'Dashboard' },
  ],
  examples: [
    {
      query: `# Reads need no key. Ctrl+Space shows what can be asked here, Ctrl+Enter asks it.
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
      query: `# What your key may do, and what it has used: put the key into the field above.
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
  name: 'Admin explorer',
  path: '/admin/graphql',
  asks: 'SESSION',
  links: [
    { href: '/admin', label: 'Dashboard' },
    { href: '/graphql', label: 'Public explorer' },
    { href: '/docs', label: 'REST reference' },
  ],
  examples: [
    {
      query: `# Asked as you, by your session: changes are possible as far as your role allows them, and are audited.
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
