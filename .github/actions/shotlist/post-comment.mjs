// Posts a page of Markdown under a pull request of GitHub, or writes it anew where this has posted it before.
//
//   node post-comment.mjs plan.md
//
//   GITHUB_TOKEN        may write to pull requests
//   GITHUB_REPOSITORY   owner/name
//   PULL_REQUEST        its number
//   GITHUB_API_URL      https://api.github.com
//
// The comment is known by the line that `shotlist plan --format markdown` begins with. Where the token may not write, as for a change out of
// a fork, that is said, and the job goes on: the page stands in its summary as well.
import { readFile } from 'node:fs/promises';

const MOST = 65_536;
const { GITHUB_TOKEN, GITHUB_REPOSITORY, PULL_REQUEST, GITHUB_API_URL = 'https://api.github.com' } = process.env;
const [path] = process.argv.slice(2);

if (!path || !GITHUB_TOKEN || !/^[\w.-]+\/[\w.-]+$/.test(GITHUB_REPOSITORY ?? '') || !/^\d+$/.test(PULL_REQUEST ?? ''))
  fail('post-comment needs a file, GITHUB_TOKEN, GITHUB_REPOSITORY and PULL_REQUEST');

const page = await readFile(path, 'utf8');
const body =
  page.length < MOST
    ? page
    : `${page.slice(0, page.lastIndexOf('\n<!-- shotlist plan ', MOST - 200))}\n\nMore films are in the job's summary.\n`;
const marker = /^<!-- shotlist plan [^\n]* -->/.exec(body)?.[0];
if (!marker) fail(`${path} does not begin as a plan of Shotlist does`);

const issue = `repos/${GITHUB_REPOSITORY}/issues`;
const found = await commentBefore();
const answer = found
  ? await ask('PATCH', `${issue}/comments/${found}`, { body })
  : await ask('POST', `${issue}/${PULL_REQUEST}/comments`, { body });
if (answer.status === 403 || answer.status === 404)
  console.error('post-comment: this token may not write to the pull request; the plan is in the summary of the job');
else if (!answer.ok) fail(`GitHub answers ${answer.status}`);

/** Of a bot or a person with the same token: others' comments cannot be changed, whatever they begin with. */
async function commentBefore() {
  for (let number = 1; number <= 20; number++) {
    const listed = await ask('GET', `${issue}/${PULL_REQUEST}/comments?per_page=100&page=${number}`);
    if (!listed.ok) return undefined;
    const comments = await listed.json();
    const own = comments.find(one => one.body?.startsWith(marker) && one.user?.type === 'Bot');
    if (own) return own.id;
    if (comments.length < 100) return undefined;
  }
  return undefined;
}

async function ask(method, place, content) {
  try {
    return await fetch(`${GITHUB_API_URL}/${place}`, {
      method,
      headers: {
        accept: 'application/vnd.github+json',
        authorization: `Bearer ${GITHUB_TOKEN}`,
        'content-type': 'application/json',
        'x-github-api-version': '2022-11-28',
      },
      ...(content && { body: JSON.stringify(content) }),
      signal: AbortSignal.timeout(30_000),
    });
  } catch (error) {
    fail(`GitHub cannot be reached: ${error.cause?.code ?? error.name}`);
  }
}

function fail(why) {
  console.error(`post-comment: ${why}`);
  process.exit(1);
}
