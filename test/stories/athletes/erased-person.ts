/** A person whose names occur nowhere else, for tests of erasure. */
/** Words that must not remain in any table. */
export const words = [
  'Zephyrine',
  'Wolkenstein',
  'Vindemiatrix',
  'Ζεφυρίνη',
  'TESTID-98217',
  'Kjeldoran',
  'zep-film',
  'because of Z',
];
export const externalIds = [{ scheme: 'TEST', value: 'TESTID-98217' }];
export const person = {
  displayName: 'Zephyrine Wolkenstein',
  givenName: 'Zephyrine',
  familyName: 'Wolkenstein',
  knownAs: 'Vindemiatrix',
  names: [{ language: 'el', value: 'Ζεφυρίνη' }],
  externalIds,
  media: [{ kind: 'VIDEO', url: 'https://example.org/zep-film', title: 'Zephyrine' }],
  sports: [{ sport: 'SWIMMING' }],
};
export const guardian = { name: 'Maria Kjeldoran', relationship: 'PARENT', email: 'kjeldoran@example.org' };
