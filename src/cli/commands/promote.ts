/** `shotlist promote FILE --to final`: makes in one profile what was picked in another, and nothing of what lost. Prices are shown first. */
import { resolve } from 'node:path';
import { asTyped } from '../../domain/as-typed.ts';
import { FINAL } from '../../domain/profile.ts';
import { findProject } from '../../host/project.ts';
import { promotionLines } from '../../plan/promotion-text.ts';
import {
  candidatesOf,
  meantProfile,
  notePicks,
  type Picked,
  pickedIn,
  profilesIn,
  promoting,
  undecided,
} from '../../session/promote.ts';
import { UsageError } from '../arguments.ts';
import { readArguments } from '../command-line/read-arguments.ts';
import { CommandError } from '../errors/command-error.ts';
import { withExitCode } from '../errors/exit-code.ts';
import { say } from '../outlets.ts';
import { chooseService } from '../service/choose-service.ts';
import { givenData, givenParams } from '../session/param-options.ts';
import { readSource } from '../session/pipeline-text.ts';
import { fileAndSteps, givenSelection } from '../session/selection-options.ts';
import { openSession } from '../session/session.ts';
import { confirmed } from '../terminal/confirm.ts';
import { leaveParamsOutOfTitle } from '../terminal/process-title.ts';
import { INTERRUPTED } from '../terminal/signals.ts';
import { main as run } from './run.ts';

export const main = withExitCode(async args => {
  const { values, positionals } = readArguments('promote', args);
  const { file, steps } = fileAndSteps(positionals, 'promote');
  leaveParamsOutOfTitle('promote', file, values.param);
  const { to = FINAL, from, yes, ...ofRun } = values;
  const selection = givenSelection(steps, ofRun);
  const picked = await draftOf({ file, from, to, values });
  const choice = await chooseService(file, { ...values, profile: to });
  const service = await choice.connect();
  try {
    const { name, elsewhere, chatBy, draft, key } = choice;
    const [params, data] = [givenParams(values), givenData(values)];
    const session = await openSession({
      ...{ file, params, data, key, to: 'look', service: name, elsewhere, chatBy, draft, profile: to, selection },
      ...{ hosted: choice.hosted ? service : undefined, deployments: service, promotion: picked.promotion },
    });
    const open = undecided(picked, session);
    const shown = promoting(picked, session, { to, isFree: !choice.hosted });
    await session.close();
    if (open.length > 0) throw new CommandError(5, openText(picked, open, file));
    for (const line of promotionLines(shown)) say(line);
  } finally {
    await service.close();
  }
  const answer = yes || (await confirmed(`make it in ${to}?`));
  if (answer === undefined)
    throw new UsageError('nobody is there to say yes: add --yes when these are the prices you expect');
  if (!answer) {
    say('nothing was made, and nothing is changed');
    return INTERRUPTED;
  }
  await notePicks(picked.promotion, await findProject(file, resolve()), to);
  return run([file, ...steps, `--profile=${to}`, ...typed(ofRun)]);
});

interface Asked {
  readonly file: string;
  readonly from: string | undefined;
  readonly to: string;
  readonly values: Parameters<typeof givenParams>[0] &
    Parameters<typeof givenData>[0] & { readonly service?: string | undefined; readonly draft: boolean };
}

/** What was picked, in whatever state its own run has left it. */
async function draftOf({ file, from: given, to, values }: Asked): Promise<Picked> {
  const { service: serviceName, draft: isQuick } = values;
  const profiles = profilesIn(readSource(file), await findProject(file, resolve()));
  const from = given ?? meantProfile(profiles, to);
  if (from === undefined)
    throw new UsageError(
      profiles.length === 0
        ? `nothing can be picked in a profile that is not there: ${asTyped(file)} has no \`profiles\`, or mistakes, which \`shotlist check ${asTyped(file)}\` tells`
        : `picked in which profile? --from NAME, one of ${profiles.map(({ name }) => name).join(', ')}`,
    );
  if (from === to) throw new UsageError(`what is picked in ${to} is made there already: name two profiles`);
  const choice = await chooseService(file, { service: serviceName, draft: isQuick, profile: from });
  const service = await choice.connect();
  try {
    const { name, elsewhere, chatBy, draft, key } = choice;
    const session = await openSession({
      ...{ file, params: givenParams(values), data: givenData(values), key, to: 'look', service: name },
      ...{ elsewhere, chatBy, draft, profile: from, hosted: choice.hosted ? service : undefined },
    });
    const picked = pickedIn(session, from, service.account);
    await session.close();
    return picked;
  } finally {
    await service.close();
  }
}

function openText(picked: Picked, open: Picked['open'], file: string): string {
  const { from } = picked.promotion;
  const named = open.slice(0, 5).join(', ') + (open.length > 5 ? ` and ${open.length - 5} more` : '');
  const first = open[0] ?? '';
  const film = asTyped(file);
  const left = candidatesOf(picked, open[0]!).map(asTyped).join(',');
  return [
    `in ${from} it is not decided yet: ${named}; and takes that nobody picked are not made`,
    `  make it there:    shotlist run ${film} --profile ${from}`,
    `  decide it:        shotlist pick ${film} ${asTyped(first)} take=… --profile ${from}`,
    `  or leave it out:  shotlist promote ${film} --exclude ${left}`,
  ].join('\n');
}

/** The options as they would be typed behind `run`. */
const typed = (values: { readonly [name: string]: unknown }): readonly string[] =>
  Object.entries(values).flatMap(([name, value]) => {
    if (value === true) return [`--${name}`];
    const texts = Array.isArray(value) ? (value as readonly unknown[]) : [value];
    return texts.flatMap(text => (typeof text === 'string' ? [`--${name}=${text}`] : []));
  });
