/** What is said of a crate, of sidecars, and of films that are signed. */
export const messages = {
  isFile: (path: string) => `${path} is a file; name a folder with --out`,
  notOurs: (path: string) =>
    `${path} holds files that are no crate of Shotlist; name another folder with --out, or empty that one`,
  unwritable: (path: string, why: string) => `${path} cannot be written: ${why}`,
  noPipeline: (path: string) =>
    `${path} cannot be read, and a crate without its pipeline says little: put it back, then give the same command again`,
  unsigned: (path: string, program: string, exit: number | null, last: string) =>
    `${path} is not signed: ${program} ended with ${exit === null ? 'a signal' : `exit code ${exit}`}${last === '' ? '' : `: ${last.slice(0, 300)}`}${exit === 0 ? ', and left no file where it was told to' : ''}`,
  sidecarInTheWay: (path: string) => `${path} is somebody else's file, and is left as it is`,
} as const;
