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
