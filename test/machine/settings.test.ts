import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { Secret } from '../../src/machine/redactor.ts';
import { resolveSettings, userSettingsFile } from '../../src/settings/settings.ts';

type Sources = Parameters<typeof resolveSettings>[0];
const resolve = (given: Partial<Sources>) =>
  resolveSettings({ flags: {}, env: {}, projectText: null, userText: null, ...given });
const problems = (given: Partial<Sources>) => resolve(given).problems;
/** The chosen service as text, its key revealed. */
const service = (given: Partial<Sources>) => {
  const { settings, problems } = resolve(given);
  expect(problems).toEqual([]);
  const chosen = settings.service;
  return chosen.kind === 'studio' ? 'studio' : `${chosen.name} ${chosen.url} ${chosen.key?.reveal() ?? 'no key'}`;
};

const project = `
service: prod
services:
  prod: { url: https://api.example.com, key_env: PROD_KEY, models: { V-T2V-A: vendor/film-2 } }
  local: { url: "http://127.0.0.1:9000" }
limits: { in_flight: 8 }
`;
const user = `
service: home
services:
  home: { url: https://home.example.org/hub, key: sk-home }
limits: { in_flight: 2, commands: 3 }
ui: plain
on_unknown: resubmit
`;

describe('which service', () => {
  test('none chosen: the built-in studio, whatever is declared', () => {
    expect(resolve({})).toEqual({ settings: { service: { kind: 'studio' }, limits: {} }, problems: [] });
    expect(service({ userText: user.replace('service: home', '') })).toBe('studio');
  });

  test('a flag beats the environment, which beats the project, which beats the user', () => {
    const env = { SHOTLIST_BASE_URL: 'https://other.example.net/v1', SHOTLIST_API_KEY: 'sk-env', PROD_KEY: 'sk-prod' };
    const files = { projectText: project, userText: user };
    expect(service({ ...files, env, flags: { service: 'home' } })).toBe('home https://home.example.org/hub sk-home');
    expect(service({ ...files, env, flags: { service: 'studio' } })).toBe('studio');
    expect(service({ ...files, env })).toBe('other.example.net https://other.example.net/v1 sk-env');
    expect(service({ ...files, env: { PROD_KEY: 'sk-prod' } })).toBe('prod https://api.example.com sk-prod');
    expect(service({ userText: user })).toBe('home https://home.example.org/hub sk-home');
  });

  test('an address may be given in place of a name', () => {
    const env = { SHOTLIST_API_KEY: 'sk-env' };
    expect(service({ env, flags: { service: 'http://127.0.0.1:9000' } })).toBe(
      '127.0.0.1:9000 http://127.0.0.1:9000 sk-env',
    );
  });

  test('an address that is declared keeps its name, so that the lock file stays valid', () => {
    const env = { SHOTLIST_BASE_URL: 'https://api.example.com/', SHOTLIST_API_KEY: 'sk-env' };
    expect(service({ projectText: project, env })).toBe('prod https://api.example.com/ sk-env');
  });

  test('brings its own ids of models; those of the project come first', () => {
    const userText = 'services: { prod: { url: https://api.example.com, models: { V-T2V-A: mine, V-UP: vendor/up } } }';
    const { settings } = resolve({ projectText: project, userText, env: { PROD_KEY: 'k' } });
    expect(settings.service.kind === 'hosted' && { ...settings.service.models }).toEqual({
      'V-T2V-A': 'vendor/film-2',
      'V-UP': 'vendor/up',
    });
  });
});

describe('whose key', () => {
  const env = { SHOTLIST_API_KEY: 'sk-env' };

  test('a bare variable goes to a service that names no key of its own', () => {
    expect(service({ projectText: project, env, flags: { service: 'local' } })).toBe(
      'local http://127.0.0.1:9000 sk-env',
    );
    expect(service({ userText: user, env })).toBe('home https://home.example.org/hub sk-home');
  });

  test('beside an address it goes to that address alone', () => {
    const given = { env: { ...env, SHOTLIST_BASE_URL: 'https://other.example.net' }, flags: { service: 'local' } };
    expect(service({ projectText: project, ...given })).toBe('local http://127.0.0.1:9000 no key');
  });

  test("a user's key does not follow a project that sends the service elsewhere", () => {
    const projectText = 'services: { home: { url: https://evil.example } }';
    expect(service({ projectText, userText: user })).toBe('home https://evil.example no key');
    const sameHost = 'services: { home: { url: https://home.example.org/other } }';
    expect(service({ projectText: sameHost, userText: user })).toBe('home https://home.example.org/other sk-home');
  });

  test('shows nowhere', () => {
    const { settings } = resolve({ userText: user });
    const shown = [
      JSON.stringify(settings),
      inspect(settings, { depth: 9, showHidden: true }),
      `${new Secret('sk-home')}`,
    ];
    expect(shown.filter(text => text.includes('sk-home'))).toEqual([]);
    expect(shown.filter(text => text.includes('«secret»'))).toEqual(shown);
  });
});

test('limits, screen and the unknown come from the strongest place that names them', () => {
  const env = { SHOTLIST_COMMANDS: '6', SHOTLIST_UI: 'quiet', XDG_CONFIG_HOME: '' };
  expect(
    resolve({ projectText: project.replace('service: prod', ''), userText: user.replace('service: home', ''), env }),
  ).toEqual({
    settings: {
      service: { kind: 'studio' },
      limits: { in_flight: 8, commands: 6 },
      ui: 'quiet',
      onUnknown: 'resubmit',
    },
    problems: [],
  });
  expect(resolve({ env, flags: { ui: 'json', onUnknown: 'fail' } }).settings).toEqual({
    service: { kind: 'studio' },
    limits: { commands: 6 },
    ui: 'json',
    onUnknown: 'fail',
  });
});

test('what Ctrl-C does is chosen like everything else', () => {
  const chosen = (sources: Partial<Sources>) => resolve(sources).settings.onInterrupt;
  expect(chosen({})).toBeUndefined();
  expect(chosen({ userText: 'on_interrupt: cancel' })).toBe('cancel');
  expect(chosen({ userText: 'on_interrupt: cancel', projectText: 'on_interrupt: detach' })).toBe('detach');
  const env = { SHOTLIST_ON_INTERRUPT: 'cancel' };
  expect(chosen({ env, projectText: 'on_interrupt: detach' })).toBe('cancel');
  expect(chosen({ env, flags: { onInterrupt: 'detach' } })).toBe('detach');
  expect(problems({ projectText: 'on_interrupt: cancle' })).toEqual([
    'on_interrupt in shotlist.config.yaml is `cancle`; write `detach` or `cancel`; did you mean `cancel`?',
  ]);
});

test('a history that is known to be whole is trusted, wherever that is set', () => {
  const chosen = (sources: Partial<Sources>) => resolve(sources).settings.history;
  expect(chosen({})).toBeUndefined();
  expect(chosen({ projectText: 'history: trusted' })).toBe('trusted');
  expect(chosen({ userText: 'history: trusted', projectText: 'history: doubted' })).toBe('doubted');
  expect(chosen({ env: { SHOTLIST_HISTORY: 'trusted' }, projectText: 'history: doubted' })).toBe('trusted');
  expect(problems({ projectText: 'history: whole' })).toEqual([
    'history in shotlist.config.yaml is `whole`; write `doubted` or `trusted`',
  ]);
});

describe('a mistake', () => {
  test('in a name is told with the nearest right one', () => {
    const projectText = `
servce: prod
services:
  prod: { ulr: https://api.example.com, colour: red }
limits: { inflight: 3 }
`;
    expect(problems({ projectText })).toEqual([
      'shotlist.config.yaml: unknown setting `servce`; did you mean `service`?',
      'services.prod in shotlist.config.yaml: unknown setting `ulr`; did you mean `url`?',
      'services.prod in shotlist.config.yaml: unknown setting `colour`; known: `url`, `key`, `key_env`, `models`, `remote`, `rates` and `idempotency`',
      'limits in shotlist.config.yaml: unknown limit `inflight`; did you mean `in_flight`?',
    ]);
  });

  test('in a value says what to write', () => {
    const userText = `
service: 7
services: [prod]
limits: { in_flight: 0, per_model: many, commands: 1.5 }
ui: plian
on_unknown:
`;
    expect(problems({ userText, flags: { ui: 'fancy' }, env: { SHOTLIST_DOWNLOADS: 'x' } })).toEqual([
      'service in ~/.config/shotlist/config.yaml is no text; write the name of a service',
      'ui in ~/.config/shotlist/config.yaml is `plian`; write `tui`, `plain`, `json` or `quiet`; did you mean `plain`?',
      'on_unknown in ~/.config/shotlist/config.yaml is empty; write `ask`, `fail` or `resubmit`',
      'services in ~/.config/shotlist/config.yaml is no map; write `name: value` lines',
      'limits.in_flight in ~/.config/shotlist/config.yaml is `0`; write a whole number, 1 or more',
      'limits.per_model in ~/.config/shotlist/config.yaml is `many`; write a whole number, 1 or more',
      'limits.commands in ~/.config/shotlist/config.yaml is `1.5`; write a whole number, 1 or more',
      '--ui is `fancy`; write `tui`, `plain`, `json` or `quiet`',
      'SHOTLIST_DOWNLOADS is `x`; write a whole number, 1 or more',
    ]);
  });

  test('in the choice of a service names those there are', () => {
    expect(problems({ projectText: project, flags: { service: 'prd' } })).toEqual([
      '--service: there is no service `prd`; did you mean `prod`?',
    ]);
    expect(problems({ projectText: project, flags: { service: 'staging' } })).toEqual([
      '--service: there is no service `staging`; known: `studio`, `prod` and `local`',
    ]);
    expect(problems({ projectText: 'services: { prod: {} }', flags: { service: 'prod' } })).toEqual([
      'service `prod` has no address; add `url: https://…` under services.prod',
    ]);
    expect(problems({ projectText: 'services: { studio: { url: https://a.example } }' })).toEqual([
      'shotlist.config.yaml: `studio` is the built-in one; give the service another name',
    ]);
  });

  test('with a key is told without the key', () => {
    const shared = 'services: { prod: { url: https://api.example.com, key: sk-shared } }';
    expect(problems({ projectText: shared })).toEqual([
      'services.prod in shotlist.config.yaml holds a key, and that file is shared: take it out, have the service replace it, and put the new one into ~/.config/shotlist/config.yaml or into a variable named by `key_env`',
    ]);
    expect(problems({ projectText: project })).toEqual([
      'service `prod` takes its key from the variable PROD_KEY, which is not set; set it',
    ]);
    expect(problems({ userText: 'services: { prod: { url: https://api.example.com, key: 12345 } }' })).toEqual([
      'key of services.prod in ~/.config/shotlist/config.yaml is no text; write it in quotes',
    ]);
  });

  test('in a name that is no text is told without it', () => {
    expect(problems({ projectText: '{ ? { a: 1 } : 2, ui: plain }' })).toEqual([
      'shotlist.config.yaml: a name is a map or a list; write it as text, in quotes',
    ]);
  });

  test('that makes the YAML parser stumble a thousand times is told ten times', () => {
    const told = problems({ projectText: `ui: plain\n${'}'.repeat(1000)}` });
    expect(told).toHaveLength(11);
    expect(told.at(-1)).toMatch(/^shotlist\.config\.yaml: and \d+ more like these; mend the first, then look again$/);
  });

  test('that nests twenty thousand lists is told as that', () => {
    expect(problems({ projectText: `ui: plain\nlimits:\n  ${'- '.repeat(20_000)}` })).toEqual([
      'shotlist.config.yaml: it is nested too deep to be read; settings need three levels',
    ]);
  });

  test('in the YAML is told with its line, and no more of the text than that', () => {
    expect(problems({ userText: 'services:\n  prod: { key: sk-1\n  key: sk-2 ]' })).toEqual([
      '~/.config/shotlist/config.yaml:3: flow map in block collection must be sufficiently indented and end with a }; mend the YAML there',
    ]);
    expect(problems({ userText: 'ui: plain\nui: json' })).toEqual([
      '~/.config/shotlist/config.yaml:2: map keys must be unique; mend the YAML there',
    ]);
    expect(problems({ projectText: 'just words' })).toEqual([
      'shotlist.config.yaml is no map; write `name: value` lines',
    ]);
  });
});

test('an empty file, or one with comments only, sets nothing', () => {
  expect(problems({ projectText: '', userText: '# nothing yet\n' })).toEqual([]);
});

test('the user file is where other programs keep theirs', () => {
  expect(userSettingsFile({}, '/home/ada')).toBe('/home/ada/.config/shotlist/config.yaml');
  expect(userSettingsFile({ XDG_CONFIG_HOME: '/etc/ada' }, '/home/ada')).toBe('/etc/ada/shotlist/config.yaml');
});
