/** Every message of this folder to an author, in one voice. */

import type { Format } from '../model/media/media.ts';
import type { Adoption } from '../model/plan.ts';
import { jsonText } from '../model/plan.ts';
import { moreAt } from '../model/run/decision-page.ts';
import { asTyped } from '../model/text/clean.ts';
import { formatSeconds, formatUsd, listed } from '../model/text/format.ts';
import type { Json } from '../model/text/json.ts';

interface Named {
  readonly field: string;
  readonly from: string | undefined;
  readonly label: string;
}

export const messages = {
  // params
  unknownParam: (name: string, near: string | undefined, names: readonly string[]) =>
    `this file has no param \`${name}\`; ${near ? `did you mean \`${near}\`?` : names.length > 0 ? `it has ${listedNames(names)}` : 'it has none'}`,
  givenSecretUnfit: (name: string) => `the secret for \`${name}\` does not fit its schema; give another`,
  paramMissing: (name: string) => `param \`${name}\` has no default; give it with --param ${name}=…`,
  paramType: (name: string, type: string, given: Json) =>
    `param \`${name}\` must be ${typeNames[type] ?? type}, not ${clipped(shown(given))}`,
  paramEnum: (name: string, allowed: readonly Json[], given: Json) =>
    `param \`${name}\` must be one of ${allowed.map(String).join(', ')}, not ${clipped(shown(given))}`,
  paramBound: (name: string, bound: string, given: string) => `param \`${name}\` must ${bound}, ${given}`,

  secretTooPlain: (name: string, least: number) =>
    `param \`${name}\` is a secret, and could not be kept out of other texts: give one of at least ${least} characters, and no plain number`,

  // fan-out
  duplicateInstance: (key: string) => `there are two instances called ${key}; take one out`,
  allExcluded: (step: string) => `\`exclude\` leaves no instance of \`${step}\`; keep at least one combination`,
  axisNotAList: (axis: string) => `\`${axis}\` must be a list; write \`${axis}: [a, b]\``,
  emptyAxis: (axis: string) => `\`${axis}\` has no values, so the step would have no instances; give it at least one`,
  resultNotAList: (axis: string, given: Json) =>
    `\`${axis}\` must be a list, and the result it reads gave ${clipped(shown(given))}`,
  emptyResult: (axis: string) =>
    `\`${axis}\` has no values, because the result it reads gave an empty list; the step would have no instances`,
  tooManyInAll: (step: string, most: number) =>
    `step \`${step}\` would have more than ${most.toLocaleString('en-US')} instances; shorten its lists, or make it several films`,
  moreThanMax: (axis: string, given: number, max: number) =>
    `the list for \`${axis}\` has ${given} entries, and \`max\` allows ${max}; raise \`max\`, or ask for fewer (\`maxItems: ${max}\` in the schema of its answer)`,
  countRange: (called: string, given: Json, most: number) =>
    `${called} must be a whole number from 1 to ${most.toLocaleString('en-US')}, not ${clipped(shown(given))}`,
  keyNotPlain: (given: Json) => `\`key\` must give a text or a number that is not empty, not ${clipped(shown(given))}`,
  joinIncomplete: (step: string, missing: readonly string[], shared: readonly string[]) =>
    `${some(missing)} ${missing.length === 1 ? 'is' : 'are'} missing: \`${step}\` is made where instances meet on ${listedNames(shared)}; make ${missing.length === 1 ? 'it' : 'them'} too, or leave the others out with \`exclude\``,
  duplicateInList: (key: string) =>
    `there are two instances called ${key}: the list it reads gives the same value twice`,

  // rounds
  earlierHolds: () => 'an earlier round holds',
  roundWaits: (round: number, most: number, before: string) =>
    `round ${round} of at most ${most}, if ${before} does not hold`,
  firstThatHolds: (most: number) =>
    most === 1 ? 'the one round, if it holds' : `the first of at most ${most} rounds that holds`,
  roundHolds: (round: number) => `round ${round} holds`,
  takenOtherwise: (round: number) => `no round holds, so round ${round} is taken`,
  holdsNotBoolean: (key: string, given: Json) =>
    `${key}: \`holds\` must be true or false, not ${clipped(shown(given))}`,
  otherwiseNotANumber: (key: string, given: Json) =>
    `${key}: \`otherwise\` must give a number, not ${clipped(shown(given))}`,
  itIs: (code: string, given: Json) => `${code} is ${clipped(shown(given))}`,
  noRoundHolds: (rounds: number, reason: string, usd: string | undefined) =>
    [
      rounds === 1 ? 'its one round does not hold' : `none of its ${rounds} rounds holds`,
      ...(reason === '' ? [] : [rounds === 1 ? reason : `of the last, ${reason}`]),
      ...(usd === undefined ? [] : [`${rounds === 1 ? 'it' : 'they'} cost ${usd}`]),
    ].join('; '),

  // inputs
  willFail: (why: string) => `it will fail: ${why}`,
  incomplete: (step: string, skipped: readonly string[]) =>
    `\`${step}\` is incomplete: ${some(skipped)} ${skipped.length === 1 ? 'was' : 'were'} skipped; leave ${skipped.length === 1 ? 'it' : 'them'} out with \`exclude\`, or make ${skipped.length === 1 ? 'it' : 'them'} too`,
  noSuchFile: (field: string, path: string) =>
    `${field} names ${shown(path)}, which is not there; ${path.includes('*') ? `a pattern belongs under \`data:\`, as \`data: { clips: ${path} }\`, or give` : 'give'} a path from the pipeline file's folder, or an address with https://`,
  unusableFile: (field: string, path: string, why: string) => `${field} names ${shown(path)}, which ${why}`,
  partOfNoVideo: (from: string, part: string, kind: string) =>
    `${from} is ${article(kind)} ${kind}, and has no \`${part}\`; read its \`result_url\``,
  noSound: (from: string) => `${from} will have no sound; ask for it there, or read another sound here`,
  frameBeyondEnd: (from: string, at: number, duration: number) =>
    `${from} will be ${formatSeconds(duration)} long, and has no frame at ${at}s; ask for one before its end, or for its \`last_frame\``,
  notInDraft: () => 'it acts outside, and this is a draft',
  notInProfile: (profile: string) => `it acts outside, and this is the profile ${profile}`,
  notMedia: (field: string, path: string, kind: string, why?: string) =>
    `${field} names ${shown(path)}, which is no image, video or sound that can be read${why === undefined ? '' : ` (${why})`}; give it ${article(kind)} ${kind}`,
  imagesNotAList: (given: Json) => `images must be a list of addresses, not ${clipped(shown(given))}`,
  conditionFalse: () => 'its condition is false',
  conditionNotBoolean: (value: Json) => `\`if\` must be true or false, not ${clipped(shown(value))}`,
  allInsideSkipped: (key: string) => `nothing inside ${key} is made`,
  standsIn: (key: string) => `it is off; ${key} replaces it`,
  upstreamSkipped: (name: string) => `${name} is skipped`,
  listSkipped: () => 'the step that writes its list is skipped',
  waitsFor: (names: readonly string[]) => `waits for ${listed(names)}`,

  needsLeftOut: (key: string) => `needs ${key}, which is left out`,

  // calls
  badRepository: (given: Json) =>
    `a repository is written \`namespace/name\`, not ${clipped(shown(given))}; write both parts`,
  emptyFineTune: () => 'the fine-tune has no id; give the id the repository lists',
  badSchema: (problem: string) => `\`schema\` is no JSON Schema: ${problem}; mend it`,
  noEndpoint: (model: string) =>
    `\`via: sync\` needs a model with a known endpoint, and nothing is known of ${model}; take it out to use the queue`,

  // commands
  starInValue: (name: string) =>
    `a value in the path of \`${name}\` brings a star of its own, which would stand for other files; give it a value without one`,

  // choices
  notACandidate: () =>
    'it chooses among results of steps, and this gives something else; name the steps themselves, or `filter` them',
  allCandidatesSkipped: () => 'all that it chooses from is skipped',
  notApproved: (key: string, who: string, note: string | undefined) =>
    `${key} was not approved by ${who}${note === undefined ? '' : `: ${note}`}`,
  ruleNotANumber: (key: string, given: Json) =>
    `\`rule\` gives ${clipped(shown(given))} for ${key}; it must give a number`,
  promoted: (what: string, from: string | undefined, who: string) =>
    `${what} was picked${from === undefined ? ' in another profile' : ` in ${from}`}${who === 'rule' || who === 'judge' ? '' : ` by ${who}`}`,
  lostPick: (pick: string) => `lost the pick ${pick}`,
  chosenBy: (by: string, who: string, what: string) =>
    `${what} was chosen ${by === 'rule' ? 'by the rule' : by === 'only' ? 'as the only one' : `by ${who}`}`,
  approvedBy: (isApproved: boolean, who: string) => `${isApproved ? 'approved' : 'not approved'} by ${who}`,
  byPerson: (count: number) => `to be chosen by a person, of ${count}`,
  byRule: (count: number) => `to be chosen by its rule, of ${count}`,
  byJudge: (model: string, count: number) => `to be chosen by ${model}, of ${count}`,
  byLater: (who: 'a person' | 'its rule' | 'its judge') => `to be chosen by ${who}`,
  ifApproved: (key: string) => `if ${key} is approved`,
  onlyOne: (key: string) => `${key} is the only one, and is taken without asking`,
  toApprove: () => 'to be approved by a person',
  whichOf: (key: string, count: number) => (count === 1 ? `which one is ${key}?` : `which ${count} are ${key}?`),
  approveWhat: (what: string) => `is ${what} approved?`,
  alreadyChosen: (pick: string) => `${pick} is chosen already`,
  nothingToJudge: (key: string) => `${key} is the only one`,
  judgeMissed: (missing: readonly string[]) =>
    `the judge gave no score to ${listed(missing)}: nothing is chosen; run again, or choose by hand`,
  judgeTwice: (key: string) => `the judge scored ${key} twice: nothing is chosen; run again, or choose by hand`,
  judgeUnknown: (given: Json) =>
    `the judge scored a candidate ${clipped(shown(given))}, which there is not: nothing is chosen; run again, or choose by hand`,
  judgeOutOfRange: (key: string, given: Json) =>
    `the judge gave ${key} ${clipped(shown(given))}, and a score is a number from 0 to 10: nothing is chosen; run again, or choose by hand`,
  judgeUnread: () => 'the judge wrote something else than scores: nothing is chosen; run again, or choose by hand',

  // limits
  noRoomForPrompt: (label: string, context: number, most: number) =>
    `max_tokens is ${most}, but ${label} holds ${context} tokens of prompt and answer together; ask for fewer`,
  promptTooLong: (label: string, context: number, tokens: number) =>
    `its words are about ${tokens} tokens, and ${label} holds ${context} of prompt and answer together; shorten them, or take a model with more`,
  promptAndAnswerTooLong: (label: string, context: number, tokens: number, most: number) =>
    `its words are about ${tokens} tokens and its answer may be ${most}, and ${label} holds ${context} together; ask for a shorter answer, or shorten the words`,
  tooLarge: (is: Named, limit: number, bytes: number) =>
    `${subject(is)} is ${megabytes(bytes)}; ${is.label} takes at most ${megabytes(limit)} there`,
  wrongKind: (is: Named, wanted: string, given: string) =>
    `${subject(is)} is ${article(given)} ${given}; ${is.label} takes ${article(wanted)} ${wanted} there`,
  wrongFormat: (is: Named, formats: readonly string[], given: string) =>
    `${subject(is)} is ${given}; ${is.label} takes ${formats.join(' or ')} there`,
  tooWide: (is: Named, limit: number, side: number) =>
    `${subject(is)} is ${side} pixels on its longer side; ${is.label} takes at most ${limit}`,
  tooLong: (is: Named, limit: number, duration: number) =>
    `${subject(is)} is ${seconds(duration)} long; ${is.label} takes at most ${seconds(limit)}`,
  tooShort: (is: Named, limit: number, duration: number) =>
    `${subject(is)} is ${seconds(duration)} long; ${is.label} takes at least ${seconds(limit)}`,
  tooMany: (field: string, limit: number, length: number) =>
    `${field} must have at most ${limit} items, it has ${length}`,
  sectionTooLong: (from: string | undefined, length: number, duration: number) =>
    `the section to retake is ${seconds(length)} long, but ${subject({ field: 'the clip', from })} is ${seconds(duration)}; choose a section within it`,
  sectionPastEnd: (from: string | undefined, start: number, end: number, duration: number) =>
    `the section to retake is ${seconds(start)} to ${seconds(end)}, but ${subject({ field: 'the clip', from })} is ${seconds(duration)} long; choose a section within it`,

  // deployments
  notActive: (model: string, status: string, alias: string | undefined) => {
    const name = alias ?? (/[a-z][a-z0-9_]*$/.exec(model)?.[0] || 'custom');
    const line = `\`models: { ${name}: { id: ${model}, activate: true } }\``;
    const what = `${model} cannot be used, for its deployment is ${status === 'error' ? 'in an error' : status}`;
    const instead = alias === undefined ? `${line} and here \`model: ${name}\`` : line;
    return `${what}; write ${instead}: the run brings it up and ends it, and it bills in between`;
  },

  // files of this machine
  outOfReach: (step: string, field: string, url: string, service: string) =>
    `${field} of \`${step}\` names ${shown(url)}, a file of this machine, and ${service} is on another; ${PUBLISH}, or put it where it can be read, and write its https:// address`,
  notPublished: (step: string, field: string, url: string) =>
    `${field} of \`${step}\` names ${shown(url)}, a file of this machine, which only an input of its own may do; give the file to a field that takes one, by its path from the pipeline file`,
  publishWithoutKey: (where: string, why: string) =>
    `this is a file of this machine, which is to be published (${where}): ${why}`,
  outputEmpty: (place: string, key: string) =>
    `\`{${place}}\` is empty for ${key}, and its file needs a name; fill it in, or name another coordinate in the path`,
  beyondFanOut: (step: string, place: number, length: number) =>
    `\`steps.${step}[${place}]\` is asked for, and \`${step}\` has ${length === 0 ? 'no instance' : `${length} instance${length === 1 ? '' : 's'}: the last is \`steps.${step}[${length - 1}]\``}`,
  noProgram: (name: string) =>
    /[/\\]/.test(name)
      ? `there is no program at \`${name}\`, from the project's root, that may be executed: write the file, or \`chmod +x\` it`
      : `there is no program \`${name}\` on this machine: install it, or correct the name`,
  emptyText: (field: string, key: string) =>
    `\`${field}\` of ${key} is empty; give it a text, or leave the instance out with \`if:\``,
  credentialsLost: (step: string, from: string) =>
    `\`${step}\` is encoded anew from \`${from}\`, which carries Content Credentials (C2PA): its film has none of them; save \`${from}\` as well where they must be handed on`,
  addressesTooShort: (step: string, expires: number, wait: number) =>
    `the files that \`${step}\` names are published for ${formatSeconds(expires / 1000)}, and it may wait for ${formatSeconds(wait / 1000)} in the service's queue; raise \`expires\` of \`publish\``,
  readsFileHere: (asked: { step: string; field: string; from: string }, service: string, staysHere: boolean) =>
    `${asked.field} of \`${asked.step}\` reads a path of this machine from \`${asked.from}\`, and ${service} is on another; ${
      staysHere
        ? `what this machine makes stays here; ${PUBLISH}, or put it where it can be read, and write its https:// address`
        : 'read `result_url` instead'
    }`,

  // outputs
  outputCollision: (path: string, first: string, second: string, missing: readonly string[]) =>
    `${first} and ${second} would both be written to ${path}; ${missing.length > 0 ? `put ${listedNames(missing.map(name => `{${name}}`))} into the path` : 'give each a path of its own'}`,

  outputEnding: (path: string, { name, ends }: Format) =>
    `${shown(path)} will hold ${name}, and does not end so; end it in \`${ends[0]}\`, or ask for another \`output_format\` where the model has one`,
  outputOverInput: (path: string) =>
    `${shown(path)} is an input of this film, and would be written over; choose another path, like \`${path.startsWith('out/') ? path.replace(/(\.[^./]*)?$/, '-made$1') : `out/${path.split('/').at(-1)}`}\``,
  outputTaken: (path: string) =>
    `${shown(path)} is there already, and no run of this project wrote it; move it away, or choose another path (it would be kept beside the new one)`,

  // reasons of decisions
  unchanged: () => 'unchanged',
  gathered: () => 'all inside is here',
  madeBefore: () => 'the same request was made before',
  madeFor: (film: string) => `the same request was made for the film ${film}`,
  sentBefore: (
    is: 'under_way' | 'made' | 'lost' | 'lost_chat',
    generation: string | null,
    usd: number | null | 'free',
    film: string | undefined,
    isEach = false,
  ) => {
    const which = `${generation === null ? '' : ` as ${generation}`}${film === undefined ? '' : `, for the film ${film}`}`;
    const price = usd === null || usd === 'free' ? '' : ` (${formatUsd(usd)}${isEach ? ' each' : ''})`;
    const paid = (how: string) => (usd === 'free' ? '' : `: ${how} paid${price}`);
    switch (is) {
      case 'under_way':
        return `under way${which}${paid('already')}`;
      case 'made':
        return `made${which}, and not downloaded yet${paid('already')}`;
      case 'lost':
        return `answer lost${which}${paid('perhaps')}, looked for before it is sent again`;
      case 'lost_chat':
        return `answer lost${which}${paid('perhaps')}, and a chat is listed nowhere: it is sent again only with --on-unknown resubmit`;
    }
  },
  fromTeam: (store: string, seen: 'all' | 'not yet') =>
    seen === 'all'
      ? `from the team's store, ${store}`
      : `from the team's store, ${store}, if it is there: it has not answered yet`,
  fetched: (price: number | null | 'free') =>
    price === 'free'
      ? 'fetched again from the studio; drawn again, free, if gone there'
      : `fetched again from the service; paid again only if gone there (${price === null ? 'no price known' : formatUsd(price)})`,
  drawnAgain: () => 'drawn again, free',
  doneOnce: () => 'done before, and done once for its inputs',
  actsOnce: () => 'acts outside, once for its inputs',
  mayBeDone: () => 'an earlier run began it, and its outcome is unknown: it runs again only with --on-unknown resubmit',
  adopted: ({ file, by, at }: Pick<Adoption, 'file' | 'by' | 'at'>) =>
    `adopted from ${file} by ${by}, ${at.slice(0, 10)}`,
  onlyForAdopted: (key: string) => `needed for ${key} alone, which is adopted`,
  adoptedMissing: (key: string, { file }: Pick<Adoption, 'file'>, sha256: string) =>
    `${key} is adopted from ${file}, and no file here has its bytes (sha256 ${sha256.slice(0, 12)}…); put that file back, or give it up with \`shotlist adopt FILE ${asTyped(key)} --undo\`; ${moreAt('adopted-file-missing')}`,
  redone: () => 'made once more, as asked for',
  cacheOff: () => 'cache is off',
  neverRun: () => 'never run',
  notHere: () => 'its result is not on this machine',
  triedInVain: () => 'its last try failed',
  sentInVain: (times: number) =>
    `sent ${times === 1 ? 'once, and its answer was lost' : `${times} times, and its answer was lost each time`}: not sent again until it is given up (\`cancel --forget\`)`,
  cancelled: () => 'its last try was cancelled',
  sameAs: (key: string) => `the same request as ${key}: made once`,
  changed: (what: readonly string[]) => `${listed(what)} changed`,
  itsInput: (step: string) => `its input ${step}`,
  itsFile: (path: string) => `its file ${path}`,
  itsWords: () => 'its prompt',
  itsImages: () => 'its images',
  itsSchema: () => 'its schema',
  itsModel: () => 'its model or its service',
  itsCut: () => 'its cut',
  itsCommand: () => 'its command or what it reads',
  changedSince: () => 'changed since it was last made',
} as const;

/** The lines that a settings file is missing. */
const PUBLISH =
  'have it published (add `publish: { s3: { bucket: NAME } }` or `publish: { command: [./publish.sh] }` to shotlist.config.yaml)';

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list like `[1, 2]`',
};

const subject = ({ field, from }: Pick<Named, 'field' | 'from'>): string =>
  from === undefined ? field : `${field} (from ${from})`;
const seconds = (value: number): string => `${Math.round(value * 100) / 100} s`;
const megabytes = (value: number): string => `${Math.round((value / (1024 * 1024)) * 10) / 10} MB`;
const article = (noun: string): string => (/^[aeiou]/.test(noun) ? 'an' : 'a');
const shown = (value: Json): string =>
  typeof value === 'string' && value.length > 80
    ? `${JSON.stringify(value.slice(0, 79)).slice(0, -1)}…"`
    : jsonText(value);
const clipped = (text: string): string => (text.length > 80 ? `${text.slice(0, 79)}…` : text);
const listedNames = (names: readonly string[]): string =>
  listed(names.map(name => (name.startsWith('{') ? name : `\`${name}\``)));
const some = (keys: readonly string[]): string =>
  keys.length <= 3 ? listed(keys) : `${keys.slice(0, 2).join(', ')} and ${keys.length - 2} more`;
