/**
 * The sentence for an error of the operating system - about a file, a folder, a database, a port - that nothing nearer has handled. It
 * says what to do. Such an error is nobody's bug, whatever its code: one without words of ours is shown with the system's.
 */
import { type DatabaseLabel, refusalOf } from '../../host/database-error.ts';
import { errorCodeText } from '../../host/error-code-text.ts';

type SystemError = Partial<NodeJS.ErrnoException> & {
  readonly errcode?: number;
  readonly dest?: string;
  readonly port?: number;
};

const AGAIN = 'then give the same command again';

/** Undefined for an error that does not come from the system: a bug, or an error that has its words already. */
export function unhandledSystemErrorText(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, errcode, syscall, port, path } = error as SystemError;
  if (errcode !== undefined && code === 'ERR_SQLITE_ERROR') return ofDatabase(error);
  // An error of the system has a code and a system call; our own errors and those of libraries have not.
  if (code === undefined || syscall === undefined || !/^E[A-Z0-9]+$/.test(code)) return undefined;
  if (syscall === 'listen' || syscall === 'bind') return ofPort(error, code, port);
  if (syscall === 'uv_cwd') return `the folder you stand in is gone; go to one that is there (cd), ${AGAIN}`;
  return FILES.has(syscall) || path !== undefined ? ofFile(error, code) : undefined;
}

function ofFile({ path, dest, message }: SystemError & Error, code: string): string {
  const { what, mend } = errorCodeText(code) ?? { what: 'it cannot be used', mend: 'mend that' };
  const which = path === undefined ? '' : `${dest === undefined ? path : dest}: `;
  // The system's message contains the code as well: `ENOSPC: no space left on device, write`
  return `${which}${what.replace(` (${code})`, '')} (${message.split(',')[0]}); ${mend}, ${AGAIN}`;
}

/** System calls on files; errors of the network carry none of these. */
const FILES: ReadonlySet<string> = new Set([
  ...[
    'open',
    'close',
    'read',
    'write',
    'fsync',
    'fdatasync',
    'ftruncate',
    'stat',
    'lstat',
    'fstat',
    'statfs',
    'access',
  ],
  ...['mkdir', 'mkdtemp', 'rmdir', 'rm', 'unlink', 'rename', 'link', 'symlink', 'readlink', 'realpath', 'scandir'],
  ...['opendir', 'copyfile', 'cp', 'chmod', 'fchmod', 'chown', 'utime', 'futime', 'spawn', 'fork', 'watch'],
]);

function ofPort({ message }: Error, code: string, port: number | undefined): string {
  const which = port === undefined ? 'the address' : `port ${port}`;
  if (code === 'EADDRINUSE') return `${which} is taken by another program; end that, or choose another port`;
  if (code === 'EACCES') return `${which} may not be used by you; choose one above 1023`;
  return `${which} cannot be listened on (${message}); choose another`;
}

/** For an error that got no words where the database was used, so that nobody knows which database it was. */
const SOME: DatabaseLabel = {
  path: undefined,
  words: {
    what: 'a database below .shotlist/',
    busy: `another shotlist is at work on the same files; wait until it has ended, ${AGAIN}`,
    damaged: 'put its newest copy back in its place: it stands for what was paid',
  },
};

function ofDatabase(error: Error): string {
  const unusable = `${SOME.words.what} cannot be used (SQLite: ${error.message})`;
  return refusalOf(error, SOME)?.message ?? `${unusable}; see that it is a whole file of this shotlist, ${AGAIN}`;
}
