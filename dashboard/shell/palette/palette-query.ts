/** The search of the command palette: a few API keys, accounts, portal users, organizations and athletes with one query. */
import { idPattern } from '../../components/list-search.ts';
import { enumLabel } from '../../components/enum-label.ts';
import type { PaletteQuery } from '../../generated/graphql.ts';
import { graphql } from '../../graph/graphql.ts';

export const paletteQuery = graphql(`
  query Palette($text: String!, $id: ID!, $isId: Boolean!) {
    apiKeys(first: 5, filter: { q: $text }, sort: LAST_USED_DESC) @skip(if: $isId) {
      nodes {
        ...KeyItem
      }
    }
    accounts(first: 5, filter: { q: $text }, sort: NAME_ASC) @skip(if: $isId) {
      nodes {
        ...AccountItem
      }
    }
    portalUsers(first: 5, filter: { q: $text }) @skip(if: $isId) {
      nodes {
        ...UserItem
      }
    }
    organizations(first: 5, filter: { q: $text }) @skip(if: $isId) {
      nodes {
        ...OrganizationItem
      }
    }
    athletes(first: 5, filter: { q: $text }) @skip(if: $isId) {
      nodes {
        ...AthleteItem
      }
    }
    apiKey(id: $id) @include(if: $isId) {
      ...KeyItem
    }
    account(id: $id) @include(if: $isId) {
      ...AccountItem
    }
    portalUser(id: $id) @include(if: $isId) {
      ...UserItem
    }
    organization(id: $id) @include(if: $isId) {
      ...OrganizationItem
    }
    athlete(id: $id) @include(if: $isId) {
      ...AthleteItem
    }
  }
  fragment KeyItem on ApiKey {
    id
    name
    publicId
    status
    account {
      name
    }
  }
  fragment AccountItem on Account {
    id
    name
    email
    status
  }
  fragment UserItem on PortalUser {
    id
    name
    email
    status
  }
  fragment OrganizationItem on Organization {
    id
    name
    type
    country
    status
  }
  fragment AthleteItem on Athlete {
    id
    displayName
    status
    sports {
      sport
    }
  }
`);

/** A search result. */
interface Found {
  readonly to: '/keys/$id' | '/accounts/$id' | '/portal-users/$id' | '/moderation/organizations/$id' | '/moderation/athletes/$id';
  readonly id: string;
  readonly name: string;
  readonly details: string;
}

export interface FoundGroup {
  readonly label: string;
  readonly found: readonly Found[];
}

const publicIdStart = /^(sp_(?:live|test)_[0-9A-Za-z]{12}).+/;

/** The variables for a typed text. Of a complete API key, only the public ID is sent. */
export function paletteVariables(typed: string) {
  const text = typed.trim().replace(publicIdStart, '$1').slice(0, 100);
  return { text, id: text, isId: idPattern.test(text) };
}

const join = (...texts: (string | null | undefined)[]): string => texts.filter(Boolean).join(', ');

/** A status other than the usual one. */
const unusual = (status: string): string | null => (status === 'ACTIVE' ? null : enumLabel(status).toLowerCase());

const present = <Item>(nodes: readonly Item[] | undefined, one: Item | null | undefined): readonly Item[] =>
  nodes ?? (one ? [one] : []);

/** The results by kind, without empty kinds. */
export function groupsOf(data: PaletteQuery): FoundGroup[] {
  const groups: readonly FoundGroup[] = [
    {
      label: 'API keys',
      found: present(data.apiKeys?.nodes, data.apiKey).map(({ id, name, publicId, account, status }) => ({
        to: '/keys/$id',
        id,
        name,
        details: join(publicId, account.name, unusual(status)),
      })),
    },
    {
      label: 'Accounts',
      found: present(data.accounts?.nodes, data.account).map(({ id, name, email, status }) => ({
        to: '/accounts/$id',
        id,
        name,
        details: join(email, unusual(status)),
      })),
    },
    {
      label: 'Portal users',
      found: present(data.portalUsers?.nodes, data.portalUser).map(({ id, name, email, status }) => ({
        to: '/portal-users/$id',
        id,
        name,
        details: join(email, unusual(status)),
      })),
    },
    {
      label: 'Organizations',
      found: present(data.organizations?.nodes, data.organization).map(({ id, name, type, country, status }) => ({
        to: '/moderation/organizations/$id',
        id,
        name,
        details: join(enumLabel(type), country, unusual(status)),
      })),
    },
    {
      label: 'Athletes',
      found: present(data.athletes?.nodes, data.athlete).map(({ id, displayName, sports, status }) => ({
        to: '/moderation/athletes/$id',
        id,
        name: displayName,
        details: join(...sports.map(({ sport }) => enumLabel(sport)), unusual(status)),
      })),
    },
  ];
  return groups.filter(({ found }) => found.length > 0);
}
