/**
 * The order in which files are tested: the longest first, so that no core is left alone with one of them at the end. What is known of
 * none of them in a clean checkout is how long they take, and their size says little: those of ten lines that take a minute stand here.
 */
import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Each takes more than ten seconds on two cores. */
const LONGEST = [
  'test/e2e/films.test.ts',
  'test/e2e/guide.test.ts',
  'test/e2e/stream.test.ts',
  'test/e2e/ci.test.ts',
  'test/e2e/endpoints.test.ts',
  'test/e2e/watch.test.ts',
  'test/e2e/full-disk.test.ts',
  'test/e2e/one-off.test.ts',
  'test/e2e/outlets.test.ts',
  'test/studio/page-browser.test.ts',
  'test/vices/film.test.ts',
  'test/e2e/choosing.test.ts',
  'test/pages/report-browser.test.ts',
  'test/e2e/kill.test.ts',
  'test/e2e/commands.test.ts',
  'test/e2e/packed.test.ts',
  'test/e2e/beats.test.ts',
  'test/pages/review-browser.test.ts',
  'test/e2e/team-store.test.ts',
  'test/e2e/review.test.ts',
  'test/e2e/terminal-ends.test.ts',
  'test/e2e/secrets.test.ts',
  'test/e2e/team-bucket.test.ts',
  'test/e2e/team-deployed.test.ts',
  'test/simulate/simulate.test.ts',
  'test/cutting/source-edges.test.ts',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const gone = LONGEST.filter(file => !existsSync(resolve(this.ctx.config.root, file)));
    if (gone.length > 0) throw new Error(`test/support/longest-first.ts names ${gone}, which is not there any more`);
    const rest = await super.sort(files);
    return rest.sort((a, b) => this.#placeOf(a) - this.#placeOf(b));
  }

  #placeOf({ moduleId }: TestSpecification): number {
    const place = LONGEST.indexOf(relative(this.ctx.config.root, moduleId));
    return place === -1 ? LONGEST.length : place;
  }
}
