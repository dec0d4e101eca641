/** The text as one word of a POSIX shell: nothing inside single quotes means anything, and a quote itself is written `'\''`. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A name that a shell can hold as a variable, and that does not change how it works. */
export function isVariableName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !RESERVED.test(name);
}

/** Read-only somewhere (`UID` in bash), or read by the shell itself (`IFS`). */
const RESERVED =
  /^(_|IFS|PPID|PWD|OLDPWD|OPTIND|OPTARG|UID|EUID|GROUPS|ENV|CDPATH|SHELLOPTS|BASH.*|POSIXLY_CORRECT|PS[0-9])$/;
