/** What is said while a report is written. */

export const messages = {
  notOurs: (place: string, name: string): string =>
    `${place} is there and holds ${name}, which is no part of a report: nothing was replaced; name another folder with --out`,
  isFile: (place: string): string => `${place} is a file, and a report is a folder: name another place with --out`,
  fileNotOurs: (file: string): string =>
    `${file} is there and is no report: nothing was replaced; name another file with --out`,
  isFolder: (file: string): string =>
    `${file} is a folder, and a page in one file goes there: name another place with --out`,
  unwritable: (place: string, why: string): string => `the report cannot be written to ${place}: ${why}`,
} as const;
