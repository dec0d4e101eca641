import * as answers from './answers.ts';
import * as door from './door.ts';
import * as events from './events.ts';
import * as fineTunes from './fine-tunes.ts';
import * as history from './history.ts';
import type { MakeVice } from './hooks.ts';
import * as records from './records.ts';
import * as results from './results.ts';
import type { ViceName } from './vice-table.ts';

/** Each vice by its name. Adding one is a sentence in `vice-table.ts` and a line here. */
export const MAKERS: Readonly<Record<ViceName, MakeVice>> = {
  'history-truncates': history.historyTruncates,
  'history-omits-fields': history.historyOmitsFields,
  'history-rewrites': history.historyRewrites,
  'history-lags': history.historyLags,
  'history-relabels': history.historyRelabels,
  'history-without-totals': history.historyWithoutTotals,
  'history-empty': history.historyEmpty,
  'history-fails-a-page': history.historyFailsAPage,
  'answers-late': answers.answersLate,
  'answers-408': answers.answers408,
  'answers-502': answers.answers502,
  'answers-504': answers.answers504,
  'drops-answers': answers.dropsAnswers,
  forgets: records.forgets,
  'forgets-for-good': records.forgetsForGood,
  'status-goes-back': records.statusGoesBack,
  'status-unknown': records.statusUnknown,
  'ids-repeat': answers.idsRepeat,
  'events-for-others': events.eventsForOthers,
  'events-garbage': events.eventsGarbage,
  'events-silent': events.eventsSilent,
  'results-expire': results.resultsExpire,
  'results-gone': results.resultsGone,
  'results-lie': results.resultsLie,
  'results-short': results.resultsShort,
  'results-empty': results.resultsEmpty,
  'succeeds-without-url': records.succeedsWithoutUrl,
  'tunes-stall': fineTunes.tunesStall,
  'tunes-unreadable': fineTunes.tunesUnreadable,
  'tunes-forgotten': fineTunes.tunesForgotten,
  'tunes-go-back': fineTunes.tunesGoBack,
  busy: door.busy,
  'busy-without-retry-after': door.busyWithoutRetryAfter,
  'busy-retry-after-zero': door.busyRetryAfterZero,
  'key-refused': door.keyRefused,
  redirects: door.redirects,
  'echoes-the-key': door.echoesTheKey,
};
