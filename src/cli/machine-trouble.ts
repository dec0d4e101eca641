/**
 * The machine's own no - to a file, a folder, a database, a port - in a sentence that says what to do. It is nobody's bug, whatever
 * the code: one that has no words of its own is passed on with the system's.
 */

type SystemError = Partial<NodeJS.ErrnoException> & {
  readonly errcode?: number;
  readonly dest?: string;
  readonly port?: number;
};

const AGAIN = 'then give the same command again';

/** Undefined where the machine has said nothing: then it is a bug, or has been put in words before. */
export function machineTrouble(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, errcode, syscall, port, path } = error as SystemError;
  if (errcode !== undefined && code === 'ERR_SQLITE_ERROR') return ofDatabase(error, errcode);
  // Every error of the system has its name and what was asked of it; ours and the libraries' have not.
  if (code === undefined || syscall === undefined || !/^E[A-Z0-9]+$/.test(code)) return undefined;
  if (syscall === 'listen' || syscall === 'bind') return ofPort(error, code, port);
  if (syscall === 'uv_cwd') return `the folder you stand in is gone; go to one that is there (cd), ${AGAIN}`;
  return FILES.has(syscall) || path !== undefined ? ofFile(error, code) : undefined;
}

function ofFile({ path, dest, message }: SystemError & Error, code: string): string {
  const [what, mend] = DISK[code] ?? ['it cannot be used', 'mend that'];
  const which = path === undefined ? '' : `${dest === undefined ? path : dest}: `;
  // `ENOSPC: no space left on device, write`
  return `${which}${what} (${message.split(',')[0]}); ${mend}, ${AGAIN}`;
}

/** What it is, and what helps. */
const DISK: Readonly<Record<string, readonly [what: string, mend: string]>> = {
  EACCES: ['it may not be used by you', 'mend that (chmod, chown)'],
  EPERM: ['it may not be used by you', 'mend that (chmod, chown)'],
  EROFS: ['it cannot be written to, the disk is read-only', 'mend that, or work in another folder'],
  ENOSPC: ['the disk is full', 'make room on it (`df -h .` shows how much there is)'],
  EDQUOT: ['your share of the disk is full', 'make room, or ask for more'],
  EFBIG: ['the file would grow longer than this disk allows', 'work on another disk'],
  EIO: ['the disk answers with an error', 'see whether it is well, and what is on it is copied'],
  EMFILE: ['too many files are open', 'allow more (`ulimit -n 4096`), or set smaller `limits` in your settings'],
  ENFILE: ['this machine has too many files open', 'end what holds them'],
  ENOENT: ['it is not there, or was taken away', 'bring it back'],
  EEXIST: ['a folder is needed here, and something else is in its place', 'move that away'],
  ENOTDIR: ['a folder is needed on the way there, and something else is in its place', 'move that away'],
  EISDIR: ['a file is needed here, and a folder is in its place', 'move the folder away, or name another file'],
  ENOTEMPTY: ['a folder is in its place, with something in it', 'move the folder away, or name another file'],
  ENAMETOOLONG: ['the name is too long for this disk', 'give a shorter one'],
  ELOOP: ['links lead round in a circle there', 'mend them'],
  EBUSY: ['another program holds it', 'end that program'],
  ETXTBSY: ['it is a program that is running', 'end it'],
  EXDEV: ['it is on another disk', 'name a place on the same one'],
  ENODEV: ['its disk is gone', 'bring it back'],
  ENXIO: ['its device is gone', 'bring it back'],
  ESTALE: ['its server has lost it', 'mount it anew'],
  ENOMEM: ['this machine has no memory left', 'end what fills it'],
  EAGAIN: ['this machine can do no more at once', 'end something'],
};

/** What a file is asked for; errors of the network carry none of these. */
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

/** https://www.sqlite.org/rescode.html: what has not been put in words where the database was used. */
function ofDatabase({ message }: Error, errcode: number): string {
  const said = `(SQLite: ${message})`;
  switch (errcode & 0xff) {
    case 5:
    case 6:
      return `another shotlist is at work on the same files ${said}; wait until it has ended, ${AGAIN}`;
    case 8:
    case 3:
    case 23:
      return `a database below .shotlist/ cannot be written ${said}; make it writable, ${AGAIN}`;
    case 10:
    case 14:
      return `a database below .shotlist/ cannot be read or written ${said}; mend its disk or its permissions, ${AGAIN}`;
    case 13:
      return `the disk is full ${said}: what was learned last could not be written down; make room on it (\`df -h .\` shows how much there is), ${AGAIN}`;
    case 11:
    case 26:
      return `a database below .shotlist/ is damaged ${said}; put its newest copy back in its place: it stands for what was paid`;
    case 7:
      return `this machine has no memory left ${said}; end what fills it, ${AGAIN}`;
    default:
      return `a database below .shotlist/ cannot be used ${said}; see that it is a whole file of this shotlist, ${AGAIN}`;
  }
}
