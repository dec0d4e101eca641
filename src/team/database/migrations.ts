/**
 * The team's tables in PostgreSQL. Rows of events, submissions, charges and choices are those of the journal of one machine
 * (`records/journal/journal-tables.ts`), with their film and account; the row of a submission is its slot, its place in the rate, and what keeps
 * the same request from being sent twice.
 *
 * Each entry takes the schema one version further, in one transaction; entries are never edited once released, and only ever add.
 */

import { CHECKED_ROWS_MIGRATION, REJECTIONS_MIGRATION } from './checked-rows.ts';
import { IDENTITY_MIGRATION } from './database-identity.ts';
import { QUIET_ROWS_MIGRATION, REFUSALS_MIGRATION, SUMS_MIGRATION } from './row-migrations.ts';

export const TEAM_MIGRATIONS: readonly string[] = [
  `
-- A backup was restored: what was sent and done between \`since\` and \`at\` (Unix milliseconds) has no row. \`event\`: the newest that there was.
CREATE TABLE restored (id bigserial PRIMARY KEY, since bigint NOT NULL, at bigint NOT NULL, event bigint NOT NULL);
-- A person has said that all that was sent then is known again, or that nothing was; an empty account is all of them. With \`listed:\` before
-- it: a history has told so, of what it lists. Calls that answer at once and acts are in none.
CREATE TABLE restored_over (restored bigint NOT NULL REFERENCES restored, account text NOT NULL, PRIMARY KEY (restored, account));

-- A film of a project, in one profile. \`epoch\`: one more each time that somebody begins to lead it; who has an older one writes nothing.
-- \`restored\`: the newest restored backup that it was in.
CREATE TABLE film (
  id text PRIMARY KEY, project text NOT NULL, path text NOT NULL, profile text, epoch integer NOT NULL DEFAULT 0, led_by text,
  restored bigint REFERENCES restored
);

-- What was handed in: a film as its file stood, and how far it is.
CREATE TABLE run (
  id text PRIMARY KEY, film text NOT NULL REFERENCES film, service text NOT NULL, source text NOT NULL, params jsonb NOT NULL DEFAULT '{}',
  options jsonb NOT NULL DEFAULT '{}', manifest jsonb NOT NULL DEFAULT '{}', price double precision, priority integer NOT NULL DEFAULT 0,
  status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'led', 'waiting', 'done', 'failed', 'cancelled')),
  stop text CHECK (stop IN ('detach', 'cancel')), outcome jsonb, failures integer NOT NULL DEFAULT 0, leader text,
  -- The job of the queue by which it is led: whoever has it leads, also after the worker that had it first is gone.
  lead_job text,
  -- The newest choice of its film that the lead which ended last had seen.
  seen_choice bigint NOT NULL DEFAULT 0,
  shotlist text NOT NULL, asked_by text NOT NULL DEFAULT session_user,
  created_at timestamptz NOT NULL DEFAULT now(), changed_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX run_of_film ON run (film, created_at);
CREATE INDEX run_open ON run (status) WHERE status IN ('queued', 'led', 'waiting');

-- \`submitted\`: the row of \`run\` it belongs to; \`run\`: as the journal calls it, another one each time that somebody leads it.
CREATE TABLE event (
  id bigserial PRIMARY KEY, film text NOT NULL, submitted text, epoch integer NOT NULL, run text NOT NULL, seq integer NOT NULL,
  at bigint NOT NULL, type text NOT NULL, key text, fingerprint text, body text NOT NULL, asked text, UNIQUE (run, seq)
);
CREATE INDEX event_of_film ON event (film, id);
CREATE INDEX event_of_submitted ON event (submitted, id) WHERE submitted IS NOT NULL;
CREATE INDEX event_by_fingerprint ON event (fingerprint, type, id) WHERE fingerprint IS NOT NULL;

CREATE TABLE submission (
  nonce text PRIMARY KEY, n bigserial, film text NOT NULL, fingerprint text NOT NULL, account text NOT NULL, model text NOT NULL,
  state text NOT NULL, ending text, generation_id text, at bigint NOT NULL, answered_at bigint, is_idle boolean NOT NULL DEFAULT false,
  body text NOT NULL
);
CREATE INDEX submission_open ON submission (account) WHERE state <> 'closed';
CREATE INDEX submission_of_film ON submission (film) WHERE state <> 'closed';
CREATE INDEX submission_by_fingerprint ON submission (fingerprint);
CREATE INDEX submission_by_account ON submission (account, n);
CREATE INDEX submission_by_time ON submission (account, at);
CREATE INDEX submission_by_answer ON submission (account, answered_at);
CREATE INDEX submission_by_generation ON submission (generation_id) WHERE generation_id IS NOT NULL;

CREATE TABLE charge (
  id text PRIMARY KEY, seq bigserial, film text NOT NULL, account text NOT NULL, is_open boolean NOT NULL, usd double precision,
  video_seconds double precision, images integer, generations integer NOT NULL, tokens bigint, at bigint NOT NULL
);
CREATE INDEX charge_of_film ON charge (film);

-- The sums of \`charge\`, so that a budget over a thousand films is asked in no time.
CREATE TABLE spent (
  film text NOT NULL, account text NOT NULL, is_open boolean NOT NULL, n bigint NOT NULL DEFAULT 0,
  usd double precision NOT NULL DEFAULT 0, usd_unknown bigint NOT NULL DEFAULT 0,
  video_seconds double precision NOT NULL DEFAULT 0, video_seconds_unknown bigint NOT NULL DEFAULT 0,
  images bigint NOT NULL DEFAULT 0, images_unknown bigint NOT NULL DEFAULT 0, generations bigint NOT NULL DEFAULT 0,
  tokens bigint NOT NULL DEFAULT 0, tokens_unknown bigint NOT NULL DEFAULT 0, PRIMARY KEY (account, film, is_open)
);
-- The dollars of each hour since 1970, by when a request was sent: a day of them is asked before each request.
CREATE TABLE spent_hour (account text NOT NULL, hour bigint NOT NULL, is_open boolean NOT NULL, usd double precision NOT NULL DEFAULT 0,
  usd_unknown bigint NOT NULL DEFAULT 0, PRIMARY KEY (account, hour, is_open));
CREATE FUNCTION sum_up(one charge, sign integer) RETURNS void LANGUAGE sql AS $$
  INSERT INTO spent_hour AS h VALUES (one.account, one.at / 3600000, one.is_open, sign * coalesce(one.usd, 0), sign * (one.usd IS NULL)::int)
  ON CONFLICT (account, hour, is_open) DO UPDATE SET usd = h.usd + excluded.usd, usd_unknown = h.usd_unknown + excluded.usd_unknown;
  INSERT INTO spent AS s VALUES (
    one.film, one.account, one.is_open, sign, sign * coalesce(one.usd, 0), sign * (one.usd IS NULL)::int,
    sign * coalesce(one.video_seconds, 0), sign * (one.video_seconds IS NULL)::int, sign * coalesce(one.images, 0),
    sign * (one.images IS NULL)::int, sign * one.generations, sign * coalesce(one.tokens, 0), sign * (one.tokens IS NULL)::int)
  ON CONFLICT (account, film, is_open) DO UPDATE SET
    n = s.n + excluded.n, usd = s.usd + excluded.usd, usd_unknown = s.usd_unknown + excluded.usd_unknown,
    video_seconds = s.video_seconds + excluded.video_seconds,
    video_seconds_unknown = s.video_seconds_unknown + excluded.video_seconds_unknown, images = s.images + excluded.images,
    images_unknown = s.images_unknown + excluded.images_unknown, generations = s.generations + excluded.generations,
    tokens = s.tokens + excluded.tokens, tokens_unknown = s.tokens_unknown + excluded.tokens_unknown
$$;
CREATE FUNCTION charge_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN PERFORM sum_up(OLD, -1); END IF;
  IF TG_OP <> 'DELETE' THEN PERFORM sum_up(NEW, 1); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER charge_changed AFTER INSERT OR UPDATE OR DELETE ON charge FOR EACH ROW EXECUTE FUNCTION charge_changed();

CREATE TABLE choice (id bigserial PRIMARY KEY, film text NOT NULL, key text NOT NULL, body text NOT NULL, at timestamptz NOT NULL DEFAULT now());
CREATE INDEX choice_of_film ON choice (film, id);
CREATE TABLE note (film text NOT NULL, name text NOT NULL, value text NOT NULL, PRIMARY KEY (film, name));
CREATE TABLE run_plan (id bigserial PRIMARY KEY, film text NOT NULL, run text NOT NULL, token integer, body bytea NOT NULL);
CREATE INDEX plan_of_run ON run_plan (run, id);

-- What was kept at once: a connection that broke before it said so is no reason to keep it twice.
CREATE TABLE batch (id uuid PRIMARY KEY, at timestamptz NOT NULL DEFAULT now());
-- Who waits for a place at which model, since when, and until when it has said that it asks again: who has fewest is served first, then who
-- waits longest.
CREATE TABLE want (account text NOT NULL, model text NOT NULL, film text NOT NULL, since timestamptz NOT NULL DEFAULT clock_timestamp(),
  seen timestamptz NOT NULL DEFAULT clock_timestamp(), PRIMARY KEY (account, model, film));
-- What whoever runs the machines allows, for each service and key, and for each of its models.
CREATE TABLE service_limit (account text PRIMARY KEY, name text NOT NULL, in_flight integer, per_second integer, usd_per_day double precision);
CREATE TABLE model_limit (account text NOT NULL, model text NOT NULL, in_flight integer NOT NULL, PRIMARY KEY (account, model));

-- What a run says, event by event, as it is shown at a terminal: for whoever watches, from any machine.
CREATE TABLE told (id bigserial PRIMARY KEY, run text NOT NULL, body text NOT NULL);
CREATE INDEX told_of_run ON told (run, id);
-- Told, and nothing decides by it.
CREATE TABLE worker (name text PRIMARY KEY, shotlist text NOT NULL, does text[] NOT NULL, hands integer NOT NULL, leads integer NOT NULL DEFAULT 0,
  accounts text[] NOT NULL DEFAULT '{}', since timestamptz NOT NULL DEFAULT now(), seen timestamptz NOT NULL DEFAULT now());
`,
  `
CREATE FUNCTION answered() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.answered_at IS NULL AND NEW.state <> 'intended' THEN NEW.answered_at := now_ms(); END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER answered BEFORE INSERT OR UPDATE ON submission FOR EACH ROW EXECUTE FUNCTION answered();

-- A place at a model is free: whoever waits for so many looks again. Each is told by itself.
CREATE FUNCTION freed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.state IN ('intended', 'accepted') AND NEW.state NOT IN ('intended', 'accepted') THEN
    PERFORM pg_notify('shotlist', 'freed:' || md5(NEW.account) || ':' || NEW.n);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER freed AFTER UPDATE ON submission FOR EACH ROW EXECUTE FUNCTION freed();

-- Unix milliseconds: one clock for all machines.
CREATE FUNCTION now_ms() RETURNS bigint LANGUAGE sql VOLATILE AS $$ SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint $$;
`,
  `
-- What a film's lead may still write, and whether it still leads. Held until the end of the transaction: who takes the film waits for it.
CREATE FUNCTION still_leads(p_film text, p_epoch integer) RETURNS boolean LANGUAGE sql AS $$
  SELECT coalesce((SELECT epoch = p_epoch FROM film WHERE id = p_film FOR SHARE), false)
$$;

/*
 * The rows that one decision is made over, read in the transaction that keeps it. About a request: all admissions of the key wait for one
 * another until its end. About none: those about this film do, so that of two people who choose at once one is first. \`waits\`: false
 * only looks, and holds nobody up.
 */
CREATE FUNCTION admission_rows(p jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  v_film text := p ->> 'film'; v_account text := p ->> 'account'; v_fingerprint text := p ->> 'fingerprint';
  v_model text := p ->> 'model'; v_now bigint; v_project text; v_rows jsonb;
BEGIN
  IF (p ->> 'epoch') IS NOT NULL AND NOT still_leads(v_film, (p ->> 'epoch')::integer) THEN
    RETURN jsonb_build_object('superseded', true);
  END IF;
  IF (p ->> 'waits')::boolean THEN
    PERFORM pg_advisory_xact_lock(CASE WHEN v_fingerprint = '' THEN hashtextextended(v_film, 2) ELSE hashtextextended(v_account, 0) END);
  END IF;
  v_now := now_ms();
  SELECT project INTO v_project FROM film WHERE id = v_film;
  SELECT jsonb_build_object(
    'now', v_now,
    'allowed', (SELECT jsonb_build_object('in_flight', l.in_flight, 'per_second', l.per_second, 'usd_per_day', l.usd_per_day,
        'day', CASE WHEN l.usd_per_day IS NULL THEN NULL ELSE
          -- The hour that began more than a day ago counts in full: what is bounded is never exceeded.
          (SELECT coalesce(jsonb_agg(to_jsonb(h)), '[]') FROM spent_hour h WHERE h.account = v_account AND h.hour >= (v_now - 86400000) / 3600000) END)
      FROM service_limit l WHERE l.account = v_account),
    'choices', (SELECT coalesce(jsonb_agg(jsonb_build_object('id', id, 'key', key, 'body', body) ORDER BY id), '[]')
      FROM choice WHERE film = v_film AND id > (p ->> 'choices')::bigint),
    -- Of other films of the project, and apart from those the same film in other profiles.
    'spent', (SELECT coalesce(jsonb_agg(to_jsonb(sums)), '[]') FROM (
        SELECT s.is_open, s.film = p ->> 'real' OR s.film COLLATE "C" > p ->> 'from' AND s.film COLLATE "C" < p ->> 'to' AS is_same,
          sum(usd) AS usd, sum(usd_unknown) AS usd_unknown, sum(video_seconds) AS video_seconds, sum(video_seconds_unknown) AS video_seconds_unknown,
          sum(images) AS images, sum(images_unknown) AS images_unknown, sum(generations) AS generations, sum(tokens) AS tokens,
          sum(tokens_unknown) AS tokens_unknown
        FROM spent s JOIN film f ON f.id = s.film
        WHERE s.account IN (v_account, '') AND s.film <> v_film AND f.project = v_project GROUP BY 1, 2) sums),
    'events', CASE WHEN v_fingerprint = '' THEN '[]'::jsonb ELSE (
      SELECT coalesce(jsonb_agg(to_jsonb(e) ORDER BY id), '[]') FROM (
        (SELECT * FROM event WHERE fingerprint = v_fingerprint AND type IN ('succeeded', 'reused') AND film <> v_film ORDER BY id DESC LIMIT 1)
        UNION ALL
        (SELECT * FROM event WHERE fingerprint = v_fingerprint AND type = 'billed' AND film <> v_film ORDER BY id DESC LIMIT 1)) e) END,
    'open_elsewhere', (SELECT jsonb_build_object('row', to_jsonb(s), 'is_running', r.is_running)
      FROM submission s, LATERAL (SELECT EXISTS (SELECT 1 FROM run WHERE film = s.film AND status IN ('queued', 'led')) AS is_running) r
      WHERE s.fingerprint = v_fingerprint AND s.account = v_account AND s.film <> v_film AND s.state <> 'closed' LIMIT 1),
    -- A time that the database has forgotten, and that nobody has looked through for this instance since.
    'lost_time', (SELECT jsonb_build_object('since', min(r.since), 'until', max(r.at), 'is_of_film', bool_or(f.restored >= r.id) IS TRUE)
      FROM restored r JOIN film f ON f.id = v_film WHERE v_fingerprint <> ''
        AND NOT EXISTS (SELECT 1 FROM restored_over o WHERE o.restored = r.id AND (o.account IN (v_account, '')
          OR (p ->> 'is_listed')::boolean AND o.account = 'listed:' || v_account))
        AND NOT EXISTS (SELECT 1 FROM event e WHERE e.fingerprint = v_fingerprint AND e.type IN ('submit_intended', 'command_started')
          AND e.film = v_film AND e.key = p ->> 'key' AND e.id > r.event
          -- What was taken back at once, because its decision came too late, was neither looked for nor sent.
          AND coalesce((SELECT x.type FROM event x WHERE x.run = e.run AND x.key = e.key AND x.seq > e.seq
            AND (x.type LIKE 'submit%' OR x.type = 'retrying') ORDER BY x.seq LIMIT 1), '') NOT IN ('submit_refused', 'retrying'))
      HAVING count(*) > 0),
    'times_lost', (SELECT count(*) FROM submission WHERE fingerprint = v_fingerprint AND ending = 'absent'
      -- Within a text of JSON such quotes are escaped. Of a time that is forgotten nobody knows that it was sent at all.
      AND body NOT LIKE '%"isFromLostTime":true%' AND at >
      (SELECT coalesce(max(at), 0) FROM submission WHERE fingerprint = v_fingerprint AND ending IN ('made', 'failed', 'forgotten'))),
    'act', (SELECT jsonb_build_object('film', s.film, 'at', s.at,
        'is_newest', NOT EXISTS (SELECT 1 FROM event e WHERE e.film = s.film AND e.run <> s.run AND e.id > s.id),
        'is_running', EXISTS (SELECT 1 FROM run r WHERE r.film = s.film AND r.status IN ('queued', 'led')))
      FROM event s WHERE v_model IS NULL AND v_fingerprint <> '' AND s.fingerprint = v_fingerprint AND s.type = 'command_started'
        AND s.id = (SELECT max(id) FROM event WHERE fingerprint = v_fingerprint AND type = 'command_started')
        AND NOT EXISTS (SELECT 1 FROM event e WHERE e.run = s.run AND e.key = s.key AND e.id > s.id AND
          -- Within a text of JSON such quotes are escaped.
          (e.type IN ('succeeded', 'retrying') OR e.type = 'failed' AND e.body NOT LIKE '%"code":"effect_unknown"%')))
  ) INTO v_rows;
  IF v_model IS NULL THEN RETURN v_rows; END IF;
  RETURN v_rows || jsonb_build_object(
    'under_way', (SELECT coalesce(jsonb_agg(jsonb_build_object('film', s.film, 'nonce', s.nonce, 'model', s.model, 'state', s.state,
        'at', s.at, 'is_idle', s.is_idle,
        'is_running', EXISTS (SELECT 1 FROM run r WHERE r.film = s.film AND r.status IN ('queued', 'led')))), '[]')
      FROM submission s WHERE s.account = v_account AND s.state <> 'closed'),
    -- A POST may arrive as late as its answer comes: until a second after that it counts as just sent. What was never answered is sent no
    -- more after a while, for its process is gone.
    'submits', (SELECT coalesce(jsonb_agg(least(v_now, sent) ORDER BY sent), '[]') FROM (
        SELECT greatest(at, answered_at) AS sent FROM submission
          WHERE account = v_account AND answered_at > v_now - 1000 AND answered_at < v_now + 60000
        UNION ALL
        SELECT v_now FROM submission
          WHERE account = v_account AND state <> 'closed' AND answered_at IS NULL AND at > v_now - 180000) s),
    'nth', (SELECT coalesce(jsonb_agg((
        SELECT jsonb_build_object('row', s.n, 'at', s.at, 'future', (SELECT max(n) FROM submission f WHERE f.account = v_account
            AND (rate ->> 'model' IS NULL OR f.model = rate ->> 'model') AND f.at > v_now))
        FROM submission s WHERE s.account = v_account AND (rate ->> 'model' IS NULL OR s.model = rate ->> 'model')
          AND s.at > v_now - (rate ->> 'window')::bigint ORDER BY s.n DESC LIMIT 1 OFFSET (rate ->> 'n')::integer - 1) ORDER BY place), '[]')
      FROM jsonb_array_elements(coalesce(p -> 'rates', '[]')) WITH ORDINALITY AS r (rate, place)),
    'per_model', (SELECT coalesce(jsonb_object_agg(model, in_flight), '{}') FROM model_limit WHERE account = v_account),
    'waiting', (SELECT coalesce(jsonb_agg(jsonb_build_object('film', film, 'model', model,
        'since', (extract(epoch FROM since) * 1000)::bigint)), '[]')
      FROM want WHERE account = v_account AND seen > clock_timestamp() - interval '20 seconds'));
END $$;

-- Everything that a decision or a moment of a run has left, in the journal's own rows. What is there already stays as it is.
-- Gives the newest choice of these, or null.
CREATE FUNCTION keep_rows(p jsonb, kept jsonb) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE v_film text := p ->> 'film'; v_epoch integer := (p ->> 'epoch')::integer; v_choice bigint;
BEGIN
  INSERT INTO batch (id) VALUES ((kept ->> 'batch')::uuid) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN RETURN NULL; END IF;
  INSERT INTO event (film, submitted, epoch, run, seq, at, type, key, fingerprint, body, asked)
    SELECT v_film, p ->> 'submitted', v_epoch, e.run, e.seq, e.at, e.type, e.key, e.fingerprint, e.body, e.asked
    FROM jsonb_to_recordset(kept -> 'event') AS e
      (run text, seq integer, at bigint, type text, key text, fingerprint text, body text, asked text, id bigint) ORDER BY e.id
    ON CONFLICT (run, seq) DO NOTHING;
  INSERT INTO submission (nonce, film, fingerprint, account, model, state, ending, generation_id, at, is_idle, body)
    SELECT s.nonce, v_film, s.fingerprint, s.account, s.model, s.state, s.ending, s.generation_id, s.at, coalesce(s.is_idle = 1, false), s.body
    FROM jsonb_to_recordset(kept -> 'submission') AS s (nonce text, fingerprint text, account text, model text, state text, ending text,
      generation_id text, at bigint, is_idle integer, body text)
    ON CONFLICT (nonce) DO UPDATE SET film = excluded.film, state = excluded.state, ending = excluded.ending,
      generation_id = excluded.generation_id, is_idle = excluded.is_idle, body = excluded.body;
  DELETE FROM charge WHERE id IN (SELECT jsonb_array_elements_text(kept -> 'uncharged'));
  INSERT INTO charge (id, film, account, is_open, usd, video_seconds, images, generations, tokens, at)
    SELECT c.id, c.film, c.account, c.is_open = 1, c.usd, c.video_seconds, c.images, c.generations, c.tokens, now_ms()
    FROM jsonb_to_recordset(kept -> 'charge') AS c (id text, film text, account text, is_open integer, usd double precision,
      video_seconds double precision, images integer, generations integer, tokens bigint)
    ON CONFLICT (id) DO UPDATE SET is_open = excluded.is_open, usd = excluded.usd, video_seconds = excluded.video_seconds,
      images = excluded.images, generations = excluded.generations, tokens = excluded.tokens;
  WITH told AS (INSERT INTO choice (film, key, body) SELECT v_film, c.key, c.body
    FROM jsonb_to_recordset(kept -> 'choice') AS c (id bigint, key text, body text) ORDER BY c.id RETURNING id)
    SELECT max(id) INTO v_choice FROM told;
  INSERT INTO note (film, name, value) SELECT v_film, n.name, n.value FROM jsonb_to_recordset(kept -> 'note') AS n (name text, value text)
    ON CONFLICT (film, name) DO UPDATE SET value = excluded.value;
  INSERT INTO run_plan (film, run, token, body) SELECT v_film, part.run, v_epoch, decode(part.body, 'base64')
    FROM jsonb_to_recordset(kept -> 'run_plan') AS part (id bigint, run text, body text) ORDER BY part.id;
  IF jsonb_array_length(kept -> 'event') > 0 AND p ->> 'submitted' IS NOT NULL THEN
    PERFORM pg_notify('shotlist', 'events:' || (p ->> 'submitted'));
  END IF;
  RETURN v_choice;
END $$;

-- What people have against single candidates of a film: a person may write no other note, and this one as whoever owns the tables.
CREATE FUNCTION keep_rejected(p_film text, p_value text) RETURNS void LANGUAGE sql SECURITY DEFINER AS $$
  INSERT INTO note (film, name, value) VALUES (p_film, 'rejected', p_value) ON CONFLICT (film, name) DO UPDATE SET value = excluded.value
$$;
-- A path that does not name pg_temp looks there first: whoever calls it could put a table of that name, with a trigger, in its way.
DO $$ BEGIN
  EXECUTE format('ALTER FUNCTION keep_rejected(text, text) SET search_path = %I, pg_temp', current_schema());
END $$;

-- What a person has decided, who leads nothing and may write nothing else. Gives the newest of these, or null.
CREATE FUNCTION keep_choices(p_film text, kept jsonb) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE v_choice bigint;
BEGIN
  INSERT INTO batch (id) VALUES ((kept ->> 'batch')::uuid) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN RETURN NULL; END IF;
  WITH told AS (INSERT INTO choice (film, key, body) SELECT p_film, c.key, c.body
    FROM jsonb_to_recordset(kept -> 'choice') AS c (id bigint, key text, body text) ORDER BY c.id RETURNING id)
    SELECT max(id) INTO v_choice FROM told;
  PERFORM keep_rejected(p_film, n.value) FROM jsonb_to_recordset(kept -> 'note') AS n (name text, value text) WHERE n.name = 'rejected';
  RETURN v_choice;
END $$;

-- This film waits for a place at that model ('waits'), has got one and waits for another ('waits anew'), or waits no more. It asks again within
-- so many milliseconds, and is forgotten soon after.
CREATE FUNCTION want_place(p_account text, p_model text, p_film text, p_how text, p_ms integer) RETURNS void LANGUAGE sql AS $$
  DELETE FROM want WHERE p_how NOT IN ('waits', 'waits anew') AND account = p_account AND model = p_model AND film = p_film;
  INSERT INTO want (account, model, film, seen) SELECT p_account, p_model, p_film, clock_timestamp() + p_ms * interval '1 millisecond'
    WHERE p_how IN ('waits', 'waits anew')
    ON CONFLICT (account, model, film) DO UPDATE SET seen = excluded.seen,
      since = CASE WHEN p_how = 'waits anew' OR want.seen < clock_timestamp() - interval '20 seconds' THEN clock_timestamp() ELSE want.since END
$$;

-- No epoch of a lead is below this one's: after a restored backup none is had twice, however often the same one is restored. Seconds since
-- 2020, of which an integer holds those of 68 years.
CREATE FUNCTION least_epoch() RETURNS integer LANGUAGE sql STABLE AS $$
  SELECT greatest(0, coalesce((SELECT max(at) FROM restored), 0) / 1000 - 1577836800)::integer
$$;

-- Somebody leads the film from now on: its epoch. \`p_job\`: the job that this turn comes from. \`p_gone\`: the job of a lead that is known to be gone. Null: the run is at its end, another run of
-- the film is led, or somebody else leads this one.
CREATE FUNCTION begin_lead(p_run text, p_worker text, p_job text DEFAULT NULL, p_gone text DEFAULT NULL) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE v_run run; v_epoch integer;
BEGIN
  SELECT * INTO v_run FROM run WHERE id = p_run AND status IN ('queued', 'led', 'waiting') FOR UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  IF v_run.status = 'led' AND p_job IS NOT NULL AND v_run.lead_job IS DISTINCT FROM p_job AND v_run.lead_job IS DISTINCT FROM p_gone THEN
    RETURN NULL;
  END IF;
  UPDATE film SET epoch = greatest(epoch, least_epoch()) + 1, led_by = p_run WHERE id = v_run.film AND (led_by IS NULL OR led_by = p_run
    OR NOT EXISTS (SELECT 1 FROM run WHERE run.id = film.led_by AND status IN ('queued', 'led'))) RETURNING epoch INTO v_epoch;
  IF v_epoch IS NULL THEN RETURN NULL; END IF;
  UPDATE run SET status = 'led', leader = p_worker, lead_job = p_job, changed_at = now() WHERE id = p_run;
  -- Whoever led it before waits for nothing any more.
  DELETE FROM want WHERE film = v_run.film;
  PERFORM pg_notify('shotlist', 'run:' || p_run);
  RETURN v_epoch;
END $$;

-- Its lead has ended: the status that the run has now, or null where somebody else leads it by then. What was decided, or asked for, after the
-- lead had looked for the last time is no reason to wait: its turn comes again.
CREATE FUNCTION end_lead(p_run text, p_epoch integer, p_status text, p_outcome jsonb, p_choice bigint) RETURNS text LANGUAGE plpgsql AS $$
DECLARE v_film text; v_status text := p_status; v_stop text;
BEGIN
  UPDATE film SET led_by = NULL WHERE led_by = p_run AND epoch = p_epoch RETURNING id INTO v_film;
  IF v_film IS NULL THEN RETURN NULL; END IF;
  SELECT stop INTO v_stop FROM run WHERE id = p_run FOR UPDATE;
  IF v_status = 'waiting' AND EXISTS (SELECT 1 FROM choice WHERE film = v_film AND id > p_choice) THEN v_status := 'queued'; END IF;
  IF v_stop IS NOT NULL AND v_status IN ('waiting', 'failed') THEN v_status := 'queued'; END IF;
  UPDATE run SET status = v_status, outcome = p_outcome, leader = NULL, lead_job = NULL, seen_choice = p_choice, changed_at = now(),
    failures = CASE WHEN p_outcome ->> 'is' = 'unreachable' THEN failures + 1 ELSE 0 END WHERE id = p_run;
  DELETE FROM want WHERE film = v_film;
  PERFORM pg_notify('shotlist', 'run:' || p_run);
  RETURN v_status;
END $$;
`,
  `
-- Heavy work of a run, done by any worker: resolved, its inputs by content, no place of any machine in it. \`epoch\`: of the lead that waits
-- for it; \`digest\`: of the work, by which a later lead of the same run finds what an earlier one had begun; \`turns\`: how often somebody took
-- it; \`has_acted\`: what acts outside has begun, and is never begun again; \`seen\`: when its worker last said that it is at it; \`taken\`: its
-- lead has it. Work and results are JSON in a text, which holds what jsonb refuses: NUL, half characters.
CREATE TABLE hand (
  id text PRIMARY KEY, run text NOT NULL, film text NOT NULL, epoch integer NOT NULL, key text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('command', 'cut', 'download', 'derive')), digest text NOT NULL, work text,
  acts boolean NOT NULL DEFAULT false, has_acted boolean NOT NULL DEFAULT false, is_wanted boolean NOT NULL DEFAULT true,
  state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'doing', 'done', 'taken')),
  worker text, turns integer NOT NULL DEFAULT 0, progress double precision, trouble text, result text, log text,
  at timestamptz NOT NULL DEFAULT now(), seen timestamptz
);
CREATE INDEX hand_open ON hand (run, state) WHERE state <> 'taken';
CREATE INDEX hand_logs ON hand (run, key) WHERE log IS NOT NULL;

-- It has ended; whoever waits for it looks. What acts outside, and was told as lost, may turn out to have ended after all.
CREATE FUNCTION settle_hand(p_id text, p_result text, p_log text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE v_run text;
BEGIN
  UPDATE hand SET state = 'done', result = p_result, log = coalesce(p_log, log), work = NULL, trouble = NULL
    WHERE id = p_id AND (state IN ('queued', 'doing') OR state = 'done' AND result = '{"is":"lost"}') RETURNING run INTO v_run;
  IF v_run IS NOT NULL THEN PERFORM pg_notify('shotlist', 'hands:' || v_run); END IF;
  RETURN v_run IS NOT NULL;
END $$;

-- A worker takes it: what it is, or null where there is nothing to do any more. A cut begins when its worker has room for it.
CREATE FUNCTION take_hand(p_id text, p_worker text, p_most_turns integer) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE one hand;
BEGIN
  SELECT * INTO one FROM hand WHERE id = p_id AND state IN ('queued', 'doing') FOR UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  IF one.has_acted THEN
    IF one.seen > clock_timestamp() - interval '20 seconds' THEN RETURN '{"is": "held"}'; END IF;
    PERFORM settle_hand(p_id, '{"is":"lost"}', NULL);
    RETURN NULL;
  END IF;
  IF NOT one.is_wanted OR one.turns >= p_most_turns THEN
    PERFORM settle_hand(p_id, CASE WHEN one.is_wanted THEN '{"is":"given up"}' ELSE '{"is":"stopped"}' END, NULL);
    RETURN NULL;
  END IF;
  UPDATE hand SET worker = p_worker, turns = turns + 1, seen = clock_timestamp(), trouble = NULL,
    state = CASE WHEN kind = 'cut' THEN state ELSE 'doing' END WHERE id = p_id;
  IF one.kind <> 'cut' THEN PERFORM pg_notify('shotlist', 'hands:' || one.run); END IF;
  RETURN jsonb_build_object('is', 'taken', 'run', one.run, 'key', one.key, 'work', one.work);
END $$;
`,
  `
-- Finds deployments that runs activated: a worker looks for them each minute, among all events.
CREATE INDEX event_of_activation ON event (film, id) WHERE type IN ('activation_intended', 'activation_closed');
`,
  IDENTITY_MIGRATION,
  `
-- \`p_choice\`: the newest choice that the run has acted on. A run that is done goes on like one that waits, where a choice came after that.
CREATE OR REPLACE FUNCTION end_lead(p_run text, p_epoch integer, p_status text, p_outcome jsonb, p_choice bigint) RETURNS text LANGUAGE plpgsql AS $$
DECLARE v_film text; v_status text := p_status; v_stop text;
BEGIN
  UPDATE film SET led_by = NULL WHERE led_by = p_run AND epoch = p_epoch RETURNING id INTO v_film;
  IF v_film IS NULL THEN RETURN NULL; END IF;
  SELECT stop INTO v_stop FROM run WHERE id = p_run FOR UPDATE;
  IF (v_status = 'waiting' OR v_status = 'done' AND v_stop IS NULL) AND EXISTS (SELECT 1 FROM choice WHERE film = v_film AND id > p_choice) THEN v_status := 'queued'; END IF;
  IF v_stop IS NOT NULL AND v_status IN ('waiting', 'failed') THEN v_status := 'queued'; END IF;
  UPDATE run SET status = v_status, outcome = p_outcome, leader = NULL, lead_job = NULL, seen_choice = p_choice, changed_at = now(),
    failures = CASE WHEN p_outcome ->> 'is' = 'unreachable' THEN failures + 1 ELSE 0 END WHERE id = p_run;
  DELETE FROM want WHERE film = v_film;
  PERFORM pg_notify('shotlist', 'run:' || p_run);
  RETURN v_status;
END $$;
`,
  CHECKED_ROWS_MIGRATION,
  `
-- \`cut_off\`: leads in a row that vanished early, without an end. \`refused\`: why the worker that was offered the run last could not lead
-- it; null once one does.
ALTER TABLE run ADD COLUMN cut_off integer NOT NULL DEFAULT 0, ADD COLUMN refused text;
`,
  REJECTIONS_MIGRATION,
  QUIET_ROWS_MIGRATION,
  REFUSALS_MIGRATION,
  SUMS_MIGRATION,
  `
-- From here on \`hand\` has logs of commands alone; heavy work is in jobs of the queue, and its rows are those of older workers.
ALTER TABLE hand ALTER COLUMN epoch SET DEFAULT 0, ALTER COLUMN kind SET DEFAULT 'command', ALTER COLUMN digest SET DEFAULT '';
`,
  `
-- A request is found by its fingerprint also before PostgreSQL has analyzed the table: it read all rows of the account instead.
DROP INDEX submission_by_fingerprint;
CREATE INDEX submission_by_fingerprint ON submission (fingerprint, account);
`,
  `
-- What \`status\` shows of a run: its lead keeps it, and readers open neither its events nor its plan. \`epoch\`: of that lead. A run that an older
-- version leads has none, or an older one.
CREATE TABLE run_tally (run text PRIMARY KEY REFERENCES run ON DELETE CASCADE, epoch integer NOT NULL, body text NOT NULL);
CREATE INDEX event_of_turn ON event (submitted, id) WHERE type = 'run_started';
`,
];
