/**
 * Bugs that the suite must see, one in each room of `src/`: each changes one line, and a test goes red. `npm run mutants`
 * plants them one by one, for whoever has made the suite faster and wants to know that it still proves as much.
 */

export interface Mutant {
  /** A folder of `src/`. */
  readonly room: string;
  /** What is wrong then. */
  readonly name: string;
  readonly file: string;
  /** Stands once in the file. */
  readonly from: string;
  readonly to: string;
  /** Test files that go red. */
  readonly tests: readonly string[];
}

export const MUTANTS: readonly Mutant[] = [
  {
    room: 'model',
    name: 'A budget counts what is spent, and nothing of what is in flight',
    file: 'src/model/budget.ts',
    from: 'const before = addUsd(spent, in_flight);',
    to: 'const before = spent;',
    tests: ['test/simulate/simulate.test.ts'],
  },
  {
    room: 'api',
    name: 'A price with sound, dearer than the line of the resolution, is not asked for',
    file: 'src/api/rates.ts',
    from: 'if (exact !== undefined) return dearest([exact, sound]);',
    to: 'if (exact !== undefined) return exact;',
    tests: ['test/studio/generation-cost.test.ts'],
  },
  {
    room: 'machine',
    name: 'A command is given the key of the service',
    file: 'src/machine/process/command-runner.ts',
    from: '[...BASE_VARIABLES, ...INHERITED_ON_WINDOWS] : BASE_VARIABLES;',
    to: "[...BASE_VARIABLES, ...INHERITED_ON_WINDOWS] : ['SHOTLIST_API_KEY', ...BASE_VARIABLES];",
    tests: ['test/machine/command-runner.test.ts'],
  },
  {
    room: 'language',
    name: 'A combination that the author leaves out is made and paid for',
    file: 'src/language/steps/matrix.ts',
    from: 'return { types, matrix, include, exclude, several, broken };',
    to: 'return { types, matrix, include, exclude: [], several, broken };',
    tests: ['test/properties/run.test.ts'],
  },
  {
    room: 'media',
    name: 'A shot goes on from the first frame of the one before, not from its last',
    file: 'src/media/derived/derive.ts',
    from: 'return video.last();',
    to: 'return video.at(0);',
    tests: ['test/e2e/frames.test.ts'],
  },
  {
    room: 'plan',
    name: 'All takes of a request are one and the same',
    file: 'src/plan/owned/instance-fingerprint.ts',
    from: 'request: content, service, ...(take !== undefined && { take }), v: VERSION });',
    to: 'request: content, service, v: VERSION });',
    tests: ['test/properties/run.test.ts'],
  },
  {
    room: 'records',
    name: 'A result that was cut short on the disk is taken for whole',
    file: 'src/records/store/local-store.ts',
    from: 'return found?.isFile() === true && String(found.size) === bytes;',
    to: 'return found?.isFile() === true;',
    tests: ['test/store/local-store.test.ts'],
  },
  {
    room: 'media',
    name: 'A film is mute but for its voices and the music under them',
    file: 'src/media/cut/sound/film-sound.ts',
    from: 'add(mix, await plain.read(at, length), 0);',
    to: 'await plain.read(at, length);',
    tests: ['test/cut/sound/film.test.ts'],
  },
  {
    room: 'studio',
    name: 'A generation that is being made is not cancelled, and is billed',
    file: 'src/studio/service/records/generations.ts',
    from: "this.#move(id, ['queued', 'processing'], { status: 'cancelled'",
    to: "this.#move(id, ['queued'], { status: 'cancelled'",
    tests: ['test/e2e/cancel.test.ts'],
  },
  {
    room: 'run',
    name: 'A request whose answer was lost is sent again, and nobody looks for it before',
    file: 'src/run/requests/submit.ts',
    from: 'const found = await reconcile(lost, run, health);',
    to: "const found = { is: 'absent' as const };",
    tests: ['test/e2e/kill.test.ts'],
  },
  {
    room: 'records',
    name: 'A request whose answer was lost may be sent once more',
    file: 'src/records/views/instance-lifecycle.ts',
    from: "submit_intended: ['waiting', 'backing_off',",
    to: "submit_intended: ['waiting', 'unknown', 'backing_off',",
    tests: ['test/records/instance-state.test.ts'],
  },
  {
    room: 'show',
    name: 'What goes on at a service is not said to be billed',
    file: 'src/show/text/left-at-service-text.ts',
    from: "const bills = isFree(run) ? '' : ', and is billed';",
    to: "const bills = '';",
    tests: ['test/e2e/cancel.test.ts'],
  },
  {
    room: 'team',
    name: 'A worker that was taken for gone goes on leading its film beside the next',
    file: 'src/team/database/migrations.ts',
    from: 'SELECT epoch = p_epoch FROM film',
    to: 'SELECT epoch >= p_epoch FROM film',
    tests: ['test/team/fences.test.ts'],
  },
  {
    room: 'show',
    name: 'What a film has said is read as markup by the page of a run that did not begin',
    file: 'src/show/pages/report/not-begun-page.ts',
    from: '>${xmlText(text)}</pre>',
    to: '>${text}</pre>',
    tests: ['test/pages/report-browser.test.ts'],
  },
  {
    room: 'show',
    name: 'A CI system obeys what a command prints',
    file: 'src/show/reporters/github.ts',
    from: 'write(stopCommands(token));',
    to: 'void stopCommands;',
    tests: ['test/e2e/ci.test.ts'],
  },
  {
    room: 'show',
    name: 'Rows that a narrower terminal has wrapped stay above the live part',
    file: 'src/show/terminal/terminal-stream.ts',
    from: 'if (reflows && columns < this.#columns) {',
    to: 'if (!reflows && columns < this.#columns) {',
    tests: ['test/terminal/screen.test.ts'],
  },
  {
    room: 'client',
    name: 'The key is left in base64 that begins with something else',
    file: 'src/client/wire/key-redactor.ts',
    from: 'const encoded = [0, 1, 2].map(',
    to: 'const encoded = [0].map(',
    tests: ['test/client/key-redactor.test.ts'],
  },
  {
    room: 'app',
    name: 'A lock in git tells the folders of one machine',
    file: 'src/app/choices/adopt.ts',
    from: ': basename(whole);',
    to: ': whole;',
    tests: ['test/e2e/adopt.test.ts'],
  },
  {
    room: 'sdk',
    name: 'A draft stands in for the film of a program',
    file: 'src/sdk/settings-of.ts',
    from: "const name = isDraft ? 'studio-draft' : 'studio';",
    to: "const name = 'studio';",
    tests: ['test/sdk/films.test.ts'],
  },
  {
    room: 'lsp',
    name: 'A quick fix writes the right word over the wrong place',
    file: 'src/lsp/protocol.ts',
    from: 'const fixData = ({ at, text }: Fix, source: Source): FixData => ({\n  range: rangeIn(source, at),',
    to: 'const fixData = ({ at, text }: Fix, source: Source): FixData => ({\n  range: rangeIn(source, { start: at.start, end: at.start }),',
    tests: ['test/lsp/editing.test.ts'],
  },
  {
    room: 'cli',
    name: 'A mistaken command line ends as a failed step does',
    file: 'src/cli/errors/command-error.ts',
    from: 'error instanceof Refusal ? 2 : undefined;',
    to: 'error instanceof Refusal ? 1 : undefined;',
    tests: ['test/e2e/command-line.test.ts'],
  },
  {
    room: 'show',
    name: 'A folded step of a plan shows the price of one instance',
    file: 'src/show/plan/folded-step.ts',
    from: 'usd: formatUsd(known.reduce(addUsd, 0)),',
    to: 'usd: formatUsd(known[0] ?? 0),',
    tests: ['test/plan/plan-text.test.ts'],
  },
  {
    room: 'settings',
    name: 'The key of a user goes to the address that a project names',
    file: 'src/settings/settings.ts',
    from: 'return moved ? { ...theirs, models } : { ...mine, ...theirs, models };',
    to: 'return { ...mine, ...theirs, models };',
    tests: ['test/machine/settings.test.ts'],
  },
];
