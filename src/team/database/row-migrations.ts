/**
 * The migration that takes every NOTIFY out of transactions that pay: a commit with a NOTIFY waits for all others of the whole server, and wakes
 * each listening connection. Leads announce places that are left, in groups; watchers poll.
 */
export const QUIET_ROWS_MIGRATION = `
DROP TRIGGER freed ON submission;
DROP FUNCTION freed();

-- As before, and with \`told\`: what watchers are shown.
CREATE OR REPLACE FUNCTION keep_rows(p jsonb, kept jsonb) RETURNS bigint LANGUAGE plpgsql AS $$
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
  INSERT INTO told (run, body) SELECT p ->> 'submitted', one.body
    FROM jsonb_array_elements_text(coalesce(kept -> 'told', '[]')) WITH ORDINALITY AS one (body, n) WHERE p ->> 'submitted' IS NOT NULL ORDER BY n;
  RETURN v_choice;
END $$;
`;

/** Lets a decision about a request know of refusals, which cost a question of their own before. */
export const REFUSALS_MIGRATION = `
-- Whether it was refused in the last day. Read after the rows of admission, under the lock that these take.
CREATE FUNCTION was_refused(p_account text, p_fingerprint text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  RETURN EXISTS (SELECT FROM submission WHERE fingerprint = p_fingerprint AND account = p_account AND ending = 'refused' AND at >= now_ms() - 86400000);
END $$;
`;

/**
 * Adds the charges of a statement up once, and not row by row. The dollars of an hour are kept in parts, one of them for each film's number: of
 * two leads that keep rows at the same time, neither waits for the other's commit.
 */
export const SUMS_MIGRATION = `
ALTER TABLE spent_hour ADD COLUMN part integer NOT NULL DEFAULT 0;
ALTER TABLE spent_hour DROP CONSTRAINT spent_hour_pkey;
ALTER TABLE spent_hour ADD PRIMARY KEY (account, hour, is_open, part);

-- Open sums are locked before those that are settled, also where only the latter change: no two transactions wait for each other.
CREATE FUNCTION add_charges(changed charge[], signs integer[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF cardinality(changed) IS NULL OR cardinality(changed) = 0 THEN RETURN; END IF;
  INSERT INTO spent_hour AS h (account, hour, is_open, usd, usd_unknown, part)
    SELECT c.account, c.at / 3600000, o.is_open, coalesce(sum(sign * c.usd) FILTER (WHERE c.is_open = o.is_open), 0),
      coalesce(sum(sign) FILTER (WHERE c.is_open = o.is_open AND c.usd IS NULL), 0), abs(hashtext(c.film) % 32)
    FROM unnest(changed, signs) AS c (id, seq, film, account, is_open, usd, video_seconds, images, generations, tokens, at, sign),
      (VALUES (true), (false)) AS o (is_open) WHERE o.is_open OR NOT c.is_open
    GROUP BY 1, 2, 3, 6 ORDER BY 1, 2, 6, 3 DESC
  ON CONFLICT (account, hour, is_open, part) DO UPDATE SET usd = h.usd + excluded.usd, usd_unknown = h.usd_unknown + excluded.usd_unknown;
  INSERT INTO spent AS s
    SELECT c.film, c.account, o.is_open, coalesce(sum(sign), 0),
      coalesce(sum(sign * c.usd), 0), coalesce(sum(sign) FILTER (WHERE c.usd IS NULL), 0),
      coalesce(sum(sign * c.video_seconds), 0), coalesce(sum(sign) FILTER (WHERE c.video_seconds IS NULL), 0),
      coalesce(sum(sign * c.images), 0), coalesce(sum(sign) FILTER (WHERE c.images IS NULL), 0), coalesce(sum(sign * c.generations), 0),
      coalesce(sum(sign * c.tokens), 0), coalesce(sum(sign) FILTER (WHERE c.tokens IS NULL), 0)
    FROM unnest(changed, signs) AS c (id, seq, film, account, is_open, usd, video_seconds, images, generations, tokens, at, sign),
      (VALUES (true), (false)) AS o (is_open) WHERE c.is_open = o.is_open GROUP BY 1, 2, 3 ORDER BY 2, 1, 3 DESC
  ON CONFLICT (account, film, is_open) DO UPDATE SET
    n = s.n + excluded.n, usd = s.usd + excluded.usd, usd_unknown = s.usd_unknown + excluded.usd_unknown,
    video_seconds = s.video_seconds + excluded.video_seconds,
    video_seconds_unknown = s.video_seconds_unknown + excluded.video_seconds_unknown, images = s.images + excluded.images,
    images_unknown = s.images_unknown + excluded.images_unknown, generations = s.generations + excluded.generations,
    tokens = s.tokens + excluded.tokens, tokens_unknown = s.tokens_unknown + excluded.tokens_unknown;
END $$;
DROP TRIGGER charge_changed ON charge;
CREATE OR REPLACE FUNCTION charge_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM add_charges(array_agg(ROW(c.*)::charge), array_agg(1)) FROM come c;
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM add_charges(array_agg(ROW(c.*)::charge), array_agg(-1)) FROM gone c;
  ELSE
    PERFORM add_charges(array_agg(one), array_agg(sign)) FROM
      (SELECT ROW(c.*)::charge, -1 FROM gone c UNION ALL SELECT ROW(c.*)::charge, 1 FROM come c) AS changed (one, sign);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER charge_came AFTER INSERT ON charge REFERENCING NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION charge_changed();
CREATE TRIGGER charge_went AFTER DELETE ON charge REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION charge_changed();
CREATE TRIGGER charge_changed AFTER UPDATE ON charge REFERENCING OLD TABLE AS gone NEW TABLE AS come
  FOR EACH STATEMENT EXECUTE FUNCTION charge_changed();
DROP FUNCTION sum_up(charge, integer);
`;
