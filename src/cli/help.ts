/** What `shotlist --help` says. */
import { EXIT_CODES } from './errors/exit-codes.ts';

export const HELP = `shotlist - declare a film as a graph of steps, see it for free, render it once

  shotlist check FILE…            find every mistake in a pipeline file, before anything runs
  shotlist plan FILE [STEP…]      what would run, why, and what it costs
  shotlist run FILE [STEP…]       make the film, or these steps; the same command goes on after any interruption
  shotlist promote FILE           make in final quality what was picked in a draft, and nothing of what lost
  shotlist why FILE [KEY…]        why shot[beat=3] is owned, or would be made again, field by field
  shotlist pick FILE [PICK WHICH] choose: \`pick FILE 'best[beat=3]' take=2\`; alone: what is open to be chosen, asked at a terminal
  shotlist approve FILE [STEP…]   say yes, or --no; alone: what is open to be approved, asked at a terminal
  shotlist repick FILE STEP…      forget a choice or an approval: the next run asks again
  shotlist adopt FILE KEY MEDIA   a file of your own stands in for what shot[beat=3] would make; --undo gives it up
  shotlist attach FILE KEY ID     a generation that is at the service already becomes the result of shot[beat=3]
  shotlist report FILE [RUN]      what a run did, why, and what it cost: the newest, or the one whose id begins like that
  shotlist review FILE            takes side by side in a browser, chosen by a key; also while a run goes on, which follows
  shotlist status [FILE]          what runs at this moment, what waits for whom, what is open at the service
  shotlist logs FILE KEY          all that the command of an instance said, or what the service said of it
  shotlist doctor FILE            what is open, unknown, billing or missing, each with the command that settles it
  shotlist cancel FILE [KEY…]     end what earlier runs left going on at the service, where it offers that
  shotlist models [ID]            the models, or one in full: fields, limits, price, a step to paste
  shotlist generate MODEL F=V…    one request, made and saved, without a file
  shotlist chat MODEL [PROMPT]    talk to a chat model, or ask it once
  shotlist activate MODEL         bring up a custom model's deployment, which bills from then on
  shotlist deactivate MODEL       end it
  shotlist tokenize NS/REPO ID    trigger the tokenization of a fine-tune
  shotlist explain [WORD]         a key, a function, a model, a setting, an event or an exit code, in full
  shotlist studio                 serve the built-in studio alone (the same API, free, on this machine)

run, plan, why
  --param NAME=VALUE              a value for one of the file's params (may be repeated)
  --params FILE                   values for params from a YAML or JSON file
  --data NAME=FILE                another file for one of the names under data:
  --service NAME                  a service of your settings (check, too); without one the built-in studio is used
  --profile NAME                  as this profile of the file has it (check, too); \`final\`: as the file stands, which is the default
  --draft                         the built-in studio draws small, quick pictures; no command acts outside
  --json                          plan, why: as JSON
  --all                           plan: every instance of a large fan-out

run, plan: a part of the film (a step, \`shot\`, or instances, \`'shot[beat=3]'\`: quoted, for zsh reads brackets as a pattern)
  STEP…                           these and what they need: \`run FILE 'shot[beat=3]'\`, \`run FILE best,music\`
  --only STEP                     these and nothing else: what they need must be here
  --from STEP  --until STEP       these and all behind them; these and all before them; both: what lies between
  --exclude STEP                  not these, and nothing that needs them
  --redo STEP                     these once more, though they are owned; nothing is deleted: \`run FILE --redo 'shot[beat=3]'\`
  --frozen                        pay for nothing: exit 3 where something is not owned
  --pick PICK=WHICH               choose beforehand, and pay for nothing that loses: \`run FILE --pick 'best[beat=3]=take=2'\`, \`--pick best=1\`
  --approve STEP                  say yes beforehand, to whatever it will be: \`run FILE --approve ok\`, \`--approve 'ok[beat=3],final'\`
  --as NAME                       whose name choices bear (default: git's user.name, then who is logged in)

run
  --ui tui|plain|json|quiet       how the run is told (default: tui at a terminal, plain elsewhere and in CI)
  --on-unknown fail|resubmit|done a submission, or a command that acts outside, whose outcome nobody can tell: stop
                                  (default), do it again, or count the command as done
  --watch                         draw what changed again at each save, as drafts of the built-in studio (--no-page, --open: its page)
  --max-usd N                     dollars that this run alone may spend, beside the file's budget: exit 4 where it would be more
  --keep-going, --fail-fast       after a failure: go on with what does not need it (default), or begin nothing new
  --on-interrupt detach|cancel    what Ctrl-C does to generations: leave them to the next run (default), or end them

pick, approve, repick (also while a run of the film goes on: it follows within a second; the lock is written at once)
  PICK WHICH…                     \`pick FILE 'best[beat=3]' take=2\`, \`pick FILE best 1 other 'shot[take=3]'\`: coordinates, a number, a name
  STEP…                           \`approve FILE ok\`, \`approve FILE ok final --no --note "the logo is bent"\`; \`repick FILE 'best[beat=3]'\`
  --note TEXT                     why: kept in the lock with the choice
  --as NAME                       whose name it bears (default: git's user.name, then who is logged in)
  --service NAME  --profile NAME  --draft   for which service's results (default: the built-in studio); so are --param, --params and --data
  --json                          what is open, or what was decided, with what is made again because of it

promote
  --to NAME  --from NAME          the two profiles (default: from the only other one, or \`draft\`, to \`final\`): \`promote FILE --to final\`
  --yes                           without asking, where nobody is there: \`promote FILE --to final --from draft --yes --max-usd 20\`
  STEP…  --only  --exclude  …     what run takes, all but --from, --until and --profile

adopt
  MEDIA                           \`adopt FILE 'shot[beat=3]' my.mp4\`: looked at, kept, free, and it stays until it is given up or --redo
  --undo                          \`adopt FILE 'shot[beat=3]' --undo\`: what was there before is there again
  --by NAME                       who says so, in the lock (default: who is logged in)
  --service NAME  --profile NAME  --draft   for which service's results (default: the built-in studio)

attach
  ID                              \`attach FILE 'shot[beat=3]' gen_123\`: compared field by field, fetched, and not paid for again
  --force                         \`attach FILE shot gen_123 --force\`: also where it was asked for something else, or nobody can tell
  --service NAME  --ui NAME       as for run

report
  --out PLACE                     where the page goes (default: \`report north-light.yaml\` writes north-light-report/)
  --open                          shows it, too: \`report FILE --open\`, \`report FILE 8c41 --out /srv/www/8c41\`
  --proxies                       with H.264 copies of what many browsers cannot show (HEVC, ProRes)
  --single                        one file of at most 10 MB, of stills: for what shows one file
  --list                          the runs of the film: when, how each ended, what it spent
  --json                          \`report FILE --json\`, \`report FILE 8c41 --json\`: everything, in one document
  --profile NAME                  only runs in this profile (default: in any)

review (served to this machine alone; opened, closed and opened again at any moment)
  --as NAME                       whose name decisions bear: \`review FILE --as Ada\`; --port N: where it listens (default: a free port)
  --no-open                       print the link and open no browser: \`review FILE --no-open\`; so it is without a desktop
  --service NAME  --profile NAME  --draft   for which service's results (default: the built-in studio); so are --param, --params and --data
  --json                          the link as JSON

status, logs (from any terminal, also while a run goes on; nothing is sent, and no run is held up)
  --json                          \`status FILE --json\`, \`logs FILE 'shot[beat=3]' --json\`
  -f, --follow                    logs: goes on while the instance does

doctor
  --service NAME  --json          \`doctor FILE --service render-farm\`, \`doctor FILE --json\`; it only looks, and exits 1 where it finds something

cancel
  --service NAME  --json          a service of your settings; as JSON, one object for each generation
  --forget                        KEY is waited for no more: its fate cannot be told, or its result is gone for good

models
  --search TEXT                   models with this in their name
  --developer NAME  --action NAME of this developer; with this fine-tuning action
  --live                          one model: its deployment, asked of its provider just now
  --service NAME  --json          a service of your settings; as JSON, in the shape of the service's own catalog

generate
  FIELD=VALUE                     a field of the model's request; a list is the field given again; media is a URL or a file
  --to PATH                       where the film or picture goes (default: here, under a name of its own)
  --sync                          ask the endpoint that answers when it is done, not the queue
  --on-unknown fail|resubmit      what the same command sent before and nobody can tell of: stop (default), or risk paying twice
  --forget                        what the same command left open is waited for no more: a new one is sent
  --json                          what was asked and what came of it: files with digest, size and address

chat
  PROMPT                          one answer, then the end; so does a prompt from a pipe. Without one: a conversation until /bye
  FIELD=VALUE                     a field of the request: temperature=0.2, max_tokens=200, response_format='{"type":"json_object"}'
  --system TEXT                   what the model is told beforehand
  --image URL|FILE                what it is shown with the prompt; give it again for more
  --on-unknown fail|resubmit      one that was asked before and never answered: stop (default), or ask it again
  --json                          one answer as JSON: text, finish_reason, usage, cost
  --service NAME                  a service of your settings; without one the built-in studio is used

activate, deactivate, tokenize
  --no-wait                       do not wait until the deployment has settled
  --json                          the model or the fine-tune, as the service tells it

explain
  WORD                            steps.matrix, size, V-RT, SHOTLIST_UI, failed, exit 3; without one: all that can be asked for
  --json                          the same as JSON

studio
  --port N  --key KEY             where it listens (default: a free port) and the key it asks for (default: random)
  --folder DIR                    where it keeps its state (default: .shotlist/studio/server)
  --strict                        offer only what the interface document promises
  --rate N                        answer 429 to more than N requests a second
  --vice NAME[=N]  --seed N       misbehave, to test a client (may be repeated; \`--vice list\` tells how), the same way for the same seed
  --draft                         small, quick pictures

SHOTLIST_BASE_URL and SHOTLIST_API_KEY name a hosted service.
SHOTLIST_CHAT_UPSTREAM (with _KEY and _MODEL) is a chat service, http://127.0.0.1:11434/v1 say, that the studio passes chat on to.

exit codes
${exitCodes()}
`;

function exitCodes(): string {
  const lines = Object.entries(EXIT_CODES).map(([code, { brief }]) => `  ${code.padEnd(32)}${brief}`);
  return lines.join('\n');
}
