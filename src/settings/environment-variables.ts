/**
 * The environment variables that Shotlist reads or sets, beside one for each setting that has a value of its own (`variableOf`). What a
 * pipeline file reads under `env` is the author's.
 */

/** `in_flight` → `SHOTLIST_IN_FLIGHT`. */
export const variableOf = (setting: string): string => `SHOTLIST_${setting.toUpperCase()}`;

interface Variable {
  readonly name: string;
  /** A sentence in Markdown. */
  readonly about: string;
  readonly example: string;
}

export const VARIABLES: readonly Variable[] = [
  {
    name: 'SHOTLIST_BASE_URL',
    about: 'Address of the hosted service that films are made at. It wins over `service` of the settings files.',
    example: 'https://api.example.com',
  },
  {
    name: 'SHOTLIST_API_KEY',
    about:
      'The key for `SHOTLIST_BASE_URL`, or for a service that names no key of its own. `shotlist studio` asks its callers for it.',
    example: 'sk-…',
  },
  {
    name: 'SHOTLIST_STUDIO_SPEED',
    about: '`draft` has the built-in studio draw small, quick pictures, as `--draft` does; films go to `out/draft/`.',
    example: 'draft',
  },
  {
    name: 'SHOTLIST_STUDIO_CACHE',
    about:
      'A folder where the built-in studio keeps what it has drawn, by content: nothing is drawn twice, in any film. It holds 2 GB; what was not used for longest goes first.',
    example: '/home/me/.cache/shotlist',
  },
  {
    name: 'SHOTLIST_CHAT_UPSTREAM',
    about: 'Address of a chat service that the built-in studio passes chat on to, in the place of its own writer.',
    example: 'http://127.0.0.1:11434/v1',
  },
  {
    name: 'SHOTLIST_CHAT_UPSTREAM_KEY',
    about: 'The key for that chat service, where it asks for one.',
    example: 'sk-…',
  },
  {
    name: 'SHOTLIST_CHAT_UPSTREAM_MODEL',
    about: 'The model that answers there for every chat model of a file.',
    example: 'llama3.2',
  },
  {
    name: 'SHOTLIST_PROJECT',
    about: "Set for the commands of `run` steps: the project's root.",
    example: '/home/me/film',
  },
  {
    name: 'SHOTLIST_EVENT',
    about: 'Set for the commands of `on` in the settings: what has happened.',
    example: 'failed',
  },
  {
    name: 'SHOTLIST_EVENT_ID',
    about: 'Set for the commands of `on` in the settings: names the one event, the run and its number within it.',
    example: '8627b709-5da7-4953-beb1-12e9c4431ef4/17',
  },
  {
    name: 'SHOTLIST_FAILPOINT',
    about: 'Ends this process at a named point, to test that nothing is lost. For the tests of Shotlist itself.',
    example: 'journal-committing:2',
  },
  { name: 'NO_COLOR', about: 'Set to anything, it takes the colours out of what is printed.', example: '1' },
  {
    name: 'CI',
    about: 'Set to anything, a run is shown in plain lines unless `ui` is set.',
    example: 'true',
  },
  {
    name: 'GITHUB_ACTIONS',
    about:
      '`true`, as in a job of GitHub: `plan --format markdown` also marks mistakes on their lines in the pull request.',
    example: 'true',
  },
  {
    name: 'XDG_CONFIG_HOME',
    about: 'Where your own settings file lies: `$XDG_CONFIG_HOME/shotlist/config.yaml`, by default below `~/.config`.',
    example: '/home/me/.config',
  },
  {
    name: 'XDG_STATE_HOME',
    about:
      'Where `shotlist team worker` keeps what it has of results and projects: `$XDG_STATE_HOME/shotlist/worker`, by default below `~/.local/state`.',
    example: '/var/lib/shotlist',
  },
];
