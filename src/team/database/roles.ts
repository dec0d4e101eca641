/**
 * Roles of a team's database, beside the owner of its tables. A worker leads and does heavy work, and sets no limits. A person submits films,
 * watches, decides and fetches, writes nothing else, and does not read what only workers need: remote tasks, with the environment of their
 * commands. The administrator of the database grants these roles to logins.
 */
export const WORKER_ROLE = 'shotlist_worker';
export const USER_ROLE = 'shotlist_user';

/** Tables that the team's own rows stand in, and what a worker does with them: all, but for limits and the version. */
const ONLY_READ = ['service_limit', 'model_limit', 'schema_version'];
/** The columns of a task that lead to its log. */
const OF_HANDS = ['id', 'run', 'film', 'key', 'kind', 'state', 'worker', 'turns', 'progress', 'log', 'at', 'seen'];
/** The submitted columns of a run: others write its state, its lead and its orders. */
const HANDED_IN = ['id', 'film', 'service', 'source', 'params', 'options', 'manifest', 'price', 'priority', 'shotlist'];
const OF_PERSONS = [
  ...[
    'admission_rows',
    'was_refused',
    'still_leads',
    'keep_choices',
    'keep_rejected',
    'now_ms',
    'known_database',
    'drop_unreadable',
  ],
  // What checks the rows that they write.
  ...['are_texts', 'is_kind', 'choice_json', 'readable_choice', 'readable_run'],
];
const CHANGED = ['status', 'stop', 'failures', 'options', 'changed_at'];

export const makeRolesSql = (): string =>
  [WORKER_ROLE, USER_ROLE]
    .map(
      role =>
        `DO $$ BEGIN CREATE ROLE ${role} NOLOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$;`,
    )
    .join('\n');

/** May be granted again at any time: complete, and idempotent. */
export const grantsSql = (schema = 'shotlist', queue = 'pgboss'): string => `
REVOKE ALL ON ALL TABLES IN SCHEMA ${schema}, ${queue} FROM ${WORKER_ROLE}, ${USER_ROLE};
GRANT USAGE ON SCHEMA ${schema}, ${queue} TO ${WORKER_ROLE}, ${USER_ROLE};
REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA ${schema} FROM PUBLIC, ${USER_ROLE};
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${schema}, ${queue} TO ${WORKER_ROLE};
GRANT EXECUTE ON FUNCTION ${OF_PERSONS.map(one => `${schema}.${one}`).join(', ')} TO ${USER_ROLE};

GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema}, ${queue} TO ${WORKER_ROLE};
GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${schema}, ${queue} TO ${WORKER_ROLE};
REVOKE INSERT, UPDATE, DELETE ON ${ONLY_READ.map(table => `${schema}.${table}`).join(', ')} FROM ${WORKER_ROLE};

GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO ${USER_ROLE};
REVOKE SELECT ON ${schema}.hand FROM ${USER_ROLE};
GRANT SELECT (${OF_HANDS.join(', ')}) ON ${schema}.hand TO ${USER_ROLE};
GRANT INSERT (id, project, path, profile), UPDATE (path) ON ${schema}.film TO ${USER_ROLE};
GRANT INSERT (${HANDED_IN.join(', ')}), UPDATE (${CHANGED.join(', ')}) ON ${schema}.run TO ${USER_ROLE};
GRANT INSERT (film, key, body) ON ${schema}.choice TO ${USER_ROLE};
GRANT INSERT (id) ON ${schema}.batch TO ${USER_ROLE};
GRANT USAGE ON SEQUENCE ${schema}.choice_id_seq TO ${USER_ROLE};
-- The turn of a run is handed in with it.
GRANT SELECT ON ${queue}.version, ${queue}.queue TO ${USER_ROLE};
GRANT INSERT ON ${queue}.job, ${queue}.job_common TO ${USER_ROLE};
-- All of a job but its data: that of a command has what it finds in its environment.
DO $$ BEGIN
  EXECUTE (SELECT format('GRANT SELECT (%s) ON ${queue}.job, ${queue}.job_common TO ${USER_ROLE}', string_agg(quote_ident(attname), ', '))
    FROM pg_attribute WHERE attrelid = '${queue}.job'::regclass AND attnum > 0 AND NOT attisdropped AND attname <> 'data');
END $$;
-- Nothing of ours makes tables of a session's own. Where somebody else owns the database, that is theirs to say.
DO $$ BEGIN
  EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
EXCEPTION WHEN insufficient_privilege THEN NULL; END $$;
`;
