/** `teams` of the settings: which one is meant, and that no password stands where others read it. */
import { describe, expect, test } from 'vitest';
import { resolveSettings } from '../../src/settings/settings.ts';

const team = (on: string, projectText: string | null, userText: string | null = null) => {
  const { settings, problems } = resolveSettings({ flags: { on }, env: {}, projectText, userText });
  return { team: settings.team, problems };
};

const HOUSE =
  'teams: { house: { database: postgres://shotlist@db.example/films, store: /mnt/team, project: foxes } }\n';

describe('the team that is meant', () => {
  test('is a name under `teams`', () => {
    expect(team('house', HOUSE)).toMatchObject({
      team: {
        name: 'house',
        database: 'postgres://shotlist@db.example/films',
        store: { path: '/mnt/team' },
        project: 'foxes',
      },
      problems: [],
    });
  });
  test('is the address of a database, which is called without its password', () => {
    expect(team('postgres://me:s3cret@db/films', null)).toEqual({
      team: { name: 'postgres://me@db/films', database: 'postgres://me:s3cret@db/films' },
      problems: [],
    });
  });
  test('has the password of the user to the same database, and to no other', () => {
    const mine = (host: string) => `teams: { house: { database: "postgres://shotlist:s3cret@${host}/films" } }\n`;
    expect(team('house', HOUSE, mine('db.example')).team?.database).toBe('postgres://shotlist:s3cret@db.example/films');
    expect(team('house', HOUSE, mine('other')).team?.database).toBe('postgres://shotlist@db.example/films');
  });
  test('keeps as much at hand as the settings of this machine say, before those of the project', () => {
    const house = (gb: string) => `teams: { house: { database: postgres://db/films, cache_gb: ${gb} } }\n`;
    expect(team('house', house('20'), house('0.5')).team?.cache).toBe(0.5e9);
    expect(team('house', house('20')).team?.cache).toBe(20e9);
    for (const wrong of ['0', '-1', '.inf', '50 GB'])
      expect(team('house', house(wrong)).problems).toEqual([
        'cache_gb of teams.house in shotlist.config.yaml is no number of gigabytes; write it like `50`',
      ]);
  });
  test('is told where there is none', () => {
    expect(team('hause', HOUSE).problems).toEqual(['--on hause: there is no team `hause`; known: `house`']);
    expect(team('house', null).problems).toEqual([
      '--on house: no team is set; add `teams: { house: { database: postgres://USER@HOST/DATABASE } }` to the settings',
    ]);
    expect(team('house', 'teams: { house: { project: foxes } }\n').problems).toEqual([
      'team `house` has no database; add `database: postgres://USER@HOST/DATABASE` under teams.house',
    ]);
  });
});

describe('a password', () => {
  test.each(['postgres://me:s3cret@db/films', 'postgres://me@db/films?password=s3cret'])(
    'in the project’s file is refused, and shows in no message: %s',
    database => {
      const { problems } = team('house', `teams: { house: { database: "${database}" } }\n`);
      expect(problems).toEqual([expect.stringContaining('holds a password, and that file is shared')]);
      expect(problems.join()).not.toContain('s3cret');
    },
  );
  test('is no part of the name of a team that is called by its address', () => {
    const { team: called } = team('postgres://me:x@db/films?sslmode=require&password=x', null);
    expect(called?.name).toBe('postgres://me@db/films?sslmode=require');
  });
});
