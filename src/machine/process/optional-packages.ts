/**
 * What only the studio draws with, and decoders: native binaries and fonts, 290 MB of them. A machine that talks to a hosted service
 * does without (`npm install --omit=optional`); a command that needs them there names them in a message.
 */
import { createRequire } from 'node:module';
import project from '../../../package.json' with { type: 'json' };

const INSTALL = '`npm install --include=optional`';

/** Names of those that are not installed beside us. */
export function missingPackages(resolve: (name: string) => string = require.resolve): readonly string[] {
  return Object.keys(project.optionalDependencies).filter(name => {
    try {
      resolve(name);
      return false;
    } catch {
      return true;
    }
  });
}

/** Why the studio cannot draw here, and what to do; undefined where it can. */
export function whyNothingIsDrawn(missing = missingPackages()): string | undefined {
  if (missing.length === 0) return undefined;
  return `the built-in studio draws with ${theMissing(missing)}: install them with ${INSTALL}, then give the same command again`;
}

/** Why no film can be cut here and no frame taken, and what to do; undefined where they can. */
export function whyNothingIsCut(missing = missingPackages()): string | undefined {
  if (missing.length === 0) return undefined;
  return `films are cut, and frames are taken, with ${theMissing(missing)}: install them with ${INSTALL}, then give the same command again; nothing was paid for`;
}

const theMissing = (missing: readonly string[]): string => `packages that are not installed here (${named(missing)})`;

/** Why a package cannot be loaded, and what to do; undefined for another error. */
export function whyNotLoaded(error: unknown, missing = missingPackages()): string | undefined {
  if (!(error instanceof Error) || !isLoading(error)) return undefined;
  if (missing.length > 0)
    return `it takes packages that are not installed here (${named(missing)}): install them with ${INSTALL}`;
  return `a package cannot be loaded here (${error.message.split('\n')[0]}): install it again with ${INSTALL}`;
}

const MAX_NAMED = 3;

function named(missing: readonly string[]): string {
  const names = missing.slice(0, MAX_NAMED).join(', ');
  return missing.length > MAX_NAMED ? `${names} and ${missing.length - MAX_NAMED} more` : names;
}

const CODES: readonly unknown[] = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND', 'ERR_DLOPEN_FAILED'];

/** The packages with native parts have words of their own for a part that is missing. */
function isLoading(error: Error): boolean {
  if (CODES.includes((error as NodeJS.ErrnoException).code)) return true;
  return /^(Cannot find native binding|Could not load the "sharp" module)/.test(error.message);
}

const require = createRequire(import.meta.url);
