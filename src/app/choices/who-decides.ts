/** The name on a choice: the given one, git's, or the login's. */
import { userInfo } from 'node:os';
import { runSmallProgram } from '../../machine/process/small-program.ts';
import { cleanText } from '../../model/text/clean.ts';

interface WhoAsked {
  /** `--as`. */
  readonly given?: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The project's folder: git may know another name there. */
  readonly folder: string;
}

/** Milliseconds: without an answer of git's the next name is taken. */
const PATIENCE = 2_000;
/** Characters: it fits one line. */
const MOST = 80;

export async function whoDecides({ given, environment, folder }: WhoAsked): Promise<string> {
  return (
    nameIn(given) ??
    nameIn(await nameInGit(environment, folder)) ??
    nameIn(environment.USER) ??
    nameIn(environment.USERNAME) ??
    nameIn(loggedIn()) ??
    'somebody'
  );
}

async function nameInGit(environment: WhoAsked['environment'], folder: string): Promise<string | undefined> {
  const argv = ['git', 'config', '--get', 'user.name'] as const;
  const end = await runSmallProgram({ argv: [...argv], environment, cwd: folder, patience: PATIENCE });
  return end.is === 'ended' && end.status === 0 ? end.stdout : undefined;
}

function loggedIn(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}

/** Undefined where nothing is left of it that could be shown. */
export function nameIn(text: string | undefined): string | undefined {
  const name = [...cleanText(text ?? '')].slice(0, MOST).join('').trim();
  return name === '' ? undefined : name;
}
