/** The labels of Kubernetes objects of a role. */

/** Selects the pods of a role. */
export const selectorOf = (role: string): Record<string, string> => ({
  'app.kubernetes.io/name': 'talent-platform',
  'app.kubernetes.io/component': role,
});

export const metadataOf = (name: string, role: string): { name: string; labels: Record<string, string> } => ({
  name,
  labels: { ...selectorOf(role), 'app.kubernetes.io/part-of': 'talent-platform' },
});
