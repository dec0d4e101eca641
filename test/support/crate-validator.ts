/**
 * The validator of `ro-crate`, which others wrote: what it finds wrong with a crate in a folder. It reads contexts from their addresses;
 * here it is given its own copy of RO-Crate's, and none of the others', so that no test hangs on a network.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

interface Finding {
  readonly status: 'success' | 'warning' | 'error';
  readonly message: string;
  readonly entity?: string;
}

interface Validator {
  readonly results: readonly Finding[];
  readonly crate: { resolveContext(): Promise<unknown> } | null;
  parseJSON(text: string): void;
  validate(): Promise<boolean>;
  checkFiles(files: Record<string, { exists: boolean; inCrate: boolean; isDir: boolean }>): void;
}

const require = createRequire(import.meta.url);
const context = readFileSync(require.resolve('ro-crate/lib/context.json'), 'utf8');
const offline = async (address: unknown): Promise<Response> =>
  new Response(String(address) === 'https://w3id.org/ro/crate/1.1/context' ? context : '{}');

/** It keeps the `fetch` that is there while it is loaded. Its own types need a looser compiler than ours. */
const { Validator } = ((): { readonly Validator: new () => Validator } => {
  const { fetch } = globalThis;
  globalThis.fetch = offline;
  try {
    return require('ro-crate');
  } finally {
    globalThis.fetch = fetch;
  }
})();

/** @param files all that lie in the folder, with `/`. */
export async function crateFindings(folder: string, files: readonly string[]): Promise<readonly string[]> {
  const validator = new Validator();
  validator.parseJSON(readFileSync(join(folder, 'ro-crate-metadata.json'), 'utf8'));
  await validator.crate?.resolveContext();
  if (await validator.validate())
    validator.checkFiles(Object.fromEntries(files.map(file => [file, { exists: true, inCrate: false, isDir: false }])));
  if (validator.results.length === 0) throw new Error('the validator says nothing at all');
  return validator.results.flatMap(({ status, message, entity }) =>
    status === 'success' ? [] : [`${status}: ${message}${entity === undefined ? '' : ` (${entity})`}`],
  );
}
