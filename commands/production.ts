/**
 * Imported before anything else: libraries read NODE_ENV when they load, and nobody should have to set it.
 * Without it graphql-js proves with each check of a type that it was loaded once, and takes 1.6 times as long over a list.
 */
process.env['NODE_ENV'] ??= 'production';

export {};
