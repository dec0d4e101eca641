/** What is said of work that other workers do. Each is a sentence, or the end of one, without its full stop. */
export const messages = {
  lostWorker: () => 'the worker that began it was not heard of again',
  givenUp: (turns: number) =>
    `${turns} workers began it one after the other, and none of them came to its end: it may take more memory than they have; see their logs`,
  lostResult: () => "what it made was in the team's store and is not there any more; run again to have it made",
  atWorker: (worker: string, trouble: string) => (worker === '' ? trouble : `at ${worker}: ${trouble}`),
  fetchesNothing: () => 'a worker fetches nothing by an address: whoever leads the run does',
  noStore: () => 'the team has no store for its results: name one under `teams` of the settings',
  noSuchRun: (run: string) => `there is no run ${run} in the team's tables any more`,
};
