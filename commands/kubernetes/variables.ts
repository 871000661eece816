/** The environment of a container in Kubernetes, from that of its service in docker-compose.yml. */
import { allVariables } from '../../wiring/all-variables.ts';
import { serviceOf } from '../compose-file.ts';

interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: object;
}

/** The ConfigMap of settings that every process receives; the roles read what concerns them. */
export const configName = 'talent-platform';
/** The Secret with the keys of the roles and the secret settings. */
const secretName = 'talent-platform';
/** The Secret of migrations and commands: the root secret, and the database with its owner. */
const ownerSecretName = 'talent-platform-owner';
/** Values of the ConfigMap, or without use: images are in a bucket, because pods share no folder. */
const omitted = new Set(['DATABASE_URL', 'IMAGE_DIRECTORY']);

const isSecret = (name: string): boolean => new Map(Object.entries(allVariables)).get(name)?.secret ?? false;

const fromSecret = (name: string, secret: string, key: string, optional: boolean): Variable => ({
  name,
  valueFrom: { secretKeyRef: { name: secret, key, ...(optional && { optional }) } },
});

/** Values of docker-compose.yml that are fixed, references to secrets, and nothing else: further settings are in the ConfigMap. */
export function variablesOf(role: string): Variable[] {
  return Object.entries(serviceOf(role).environment ?? {}).flatMap(([name, text]): Variable[] => {
    const [, variable = '', kind] = /^\$\{(\w+):([-?])/.exec(text) ?? [];
    if (omitted.has(name)) return [];
    if (variable === '') return [{ name, value: text.replace('//router:4100', '//router-internal:4100') }];
    return isSecret(name) ? [fromSecret(name, secretName, variable, kind === '-')] : [];
  });
}

export const ownerVariables = (): Variable[] =>
  ['SECRET', 'DATABASE_URL'].map((name) => fromSecret(name, ownerSecretName, name, false));
