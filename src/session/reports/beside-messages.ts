/** What is said of `--report`. */
export const messages = {
  unknown: (given: string, near: string | undefined) =>
    `--report is junit=PATH, html=DIR or github, and \`${given}\` is not${near === undefined ? '' : `; did you mean ${near}?`}`,
  noPlace: (example: string) => `--report ${example.split('=')[0]} needs a place; write --report ${example}`,
  githubHasNoPlace: () =>
    '--report github takes no place: it is told to the job that it runs in; write --report github',
  twice: (place: string) => `--report names ${place} twice; leave one out`,
  isFolder: (path: string) =>
    `--report junit=${path} is a folder; name a file, ${path.replace(/\/$/, '')}/film.xml say`,
  notXml: (path: string) =>
    `--report junit=${path} would replace a file that is no XML; name another, or take that one away`,
  junit: (path: string, why: string) =>
    `the JUnit file ${path} is not written: ${why}; the run itself is as told above`,
  github: (why: string) =>
    `the job's annotations and summary are not all told: ${why}; the run itself is as told above`,
  notBegun: (folder: string, why: string) =>
    `the page in ${folder} that would say why the run did not begin is not written: ${why}`,
  nothingKept: () => 'the journal keeps nothing of this run',
  sidecars: (why: string) => `not every film has its sidecar: ${why}; the run itself is as told above`,
  html: (folder: string, why: string, again: string) =>
    `the report in ${folder} is not written: ${why}; \`${again}\` makes it at any later time`,
} as const;
