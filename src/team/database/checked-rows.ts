/**
 * The migration that makes the database check the rows that persons write, and record the login with each decision. A login can write to the
 * tables without Shotlist, so the tables themselves refuse rows that would make a film unreadable.
 */
export const CHECKED_ROWS_MIGRATION = `
-- Checks that rows which persons write are readable: one unreadable row would make its film unreadable. Older rows stay as they are.
CREATE FUNCTION are_texts(p_list jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(jsonb_typeof(p_list) = 'array' AND NOT EXISTS (
    SELECT 1 FROM jsonb_array_elements(CASE jsonb_typeof(p_list) WHEN 'array' THEN p_list ELSE '[]' END) one WHERE jsonb_typeof(one) <> 'string'), false)
$$;
CREATE FUNCTION is_kind(p_value jsonb, p_kind text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$ SELECT p_value IS NULL OR jsonb_typeof(p_value) = p_kind $$;

-- Refuses whatever \`choice-rows.ts\` refuses. jsonb does not take some escapes; they are replaced by a question mark.
CREATE FUNCTION choice_json(p_body text) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT regexp_replace(p_body, '\\\\u(0000|d[89a-f][0-9a-f]{2})', '\\\\u003f', 'gi')::jsonb
$$;
CREATE FUNCTION readable_choice(p_body text) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE v jsonb;
BEGIN
  IF octet_length(p_body) > 8388608 THEN RETURN false; END IF;
  v := choice_json(p_body);
  IF jsonb_typeof(v) <> 'object' THEN RETURN false; END IF;
  IF jsonb_typeof(v -> 'withdrawn') = 'string' THEN RETURN true; END IF;
  RETURN coalesce(jsonb_typeof(v -> 'key') = 'string' AND jsonb_typeof(v -> 'who') = 'string'
    AND are_texts(v -> 'from') AND are_texts(v -> 'called') AND are_texts(v -> 'chosen')
    AND v ->> 'by' IN ('person', 'flag', 'rule', 'judge', 'only', 'promoted')
    AND jsonb_typeof(v -> 'at') = 'number' AND abs((v ->> 'at')::numeric) <= 8.64e15
    AND is_kind(v -> 'note', 'string') AND is_kind(v -> 'asked', 'string') AND is_kind(v -> 'login', 'string')
    AND is_kind(v -> 'scores', 'array') AND NOT EXISTS (SELECT 1 FROM jsonb_array_elements(coalesce(v -> 'scores', '[]')) one
      WHERE jsonb_typeof(one) <> 'object' OR jsonb_typeof(one -> 'score') IS DISTINCT FROM 'number' OR NOT is_kind(one -> 'words', 'string')), false);
EXCEPTION WHEN others THEN RETURN false;
END $$;

-- As \`RunChoices\` and \`Manifest\` have it.
CREATE FUNCTION readable_run(p_params jsonb, p_options jsonb, p_manifest jsonb) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE v_selection jsonb := p_options -> 'selection'; v_promotion jsonb := p_options -> 'promotion';
BEGIN
  IF jsonb_typeof(p_params) <> 'object' OR jsonb_typeof(p_options) <> 'object' OR jsonb_typeof(p_manifest) <> 'object' THEN RETURN false; END IF;
  RETURN coalesce(is_kind(p_options -> 'maxUsd', 'number') AND is_kind(p_options -> 'failFast', 'boolean')
    AND is_kind(p_options -> 'onUnknown', 'string') AND is_kind(p_options -> 'resumed', 'object') AND is_kind(p_options -> 'budget', 'object')
    AND NOT EXISTS (SELECT 1 FROM jsonb_each(coalesce(p_options -> 'data', '{}')) WHERE jsonb_typeof(value) <> 'string')
    AND NOT EXISTS (SELECT 1 FROM jsonb_each(coalesce(p_options -> 'attach', '{}')) WHERE jsonb_typeof(value -> 'generation') IS DISTINCT FROM 'string')
    AND (v_selection IS NULL OR are_texts(v_selection -> 'steps') AND are_texts(v_selection -> 'only') AND are_texts(v_selection -> 'from')
      AND are_texts(v_selection -> 'until') AND are_texts(v_selection -> 'exclude') AND are_texts(v_selection -> 'redo'))
    AND (v_promotion IS NULL OR jsonb_typeof(v_promotion -> 'from') = 'string' AND jsonb_typeof(v_promotion -> 'picks') = 'array'
      AND NOT EXISTS (SELECT 1 FROM jsonb_array_elements(v_promotion -> 'picks') one WHERE jsonb_typeof(one -> 'key') IS DISTINCT FROM 'string'
        OR jsonb_typeof(one -> 'who') IS DISTINCT FROM 'string' OR NOT are_texts(one -> 'chosen') OR jsonb_typeof(one -> 'among') IS DISTINCT FROM 'object'))
    AND NOT EXISTS (SELECT 1 FROM jsonb_each(p_manifest) WHERE value ->> 'sha256' IS NULL OR value ->> 'sha256' !~ '^[0-9a-f]{64}$'
      OR jsonb_typeof(value -> 'bytes') IS DISTINCT FROM 'number'), false);
EXCEPTION WHEN others THEN RETURN false;
END $$;

ALTER TABLE choice ADD CONSTRAINT choice_is_readable CHECK (readable_choice(body)) NOT VALID;
ALTER TABLE run ADD CONSTRAINT run_is_readable CHECK (readable_run(params, options, manifest) AND (price IS NULL OR price >= 0 AND price < 'Infinity')) NOT VALID;
ALTER TABLE film ADD CONSTRAINT film_is_inside CHECK (path !~ '(^/|(^|/)[.][.](/|$))') NOT VALID;

-- Adds the login to a decision, beside the name that the person gave. Of two equal keys in JSON the last one counts.
CREATE FUNCTION choice_login() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF readable_choice(NEW.body) AND choice_json(NEW.body) ->> 'by' = 'person' THEN
    NEW.body := regexp_replace(NEW.body, '\\s*[}]\\s*$', '') || ',"login":' || to_json(session_user::text)::text || '}';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER choice_login BEFORE INSERT ON choice FOR EACH ROW EXECUTE FUNCTION choice_login();

CREATE OR REPLACE FUNCTION keep_rejected(p_film text, p_value text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF octet_length(p_value) > 8388608 OR json_typeof(p_value::json) <> 'object' THEN
    RAISE EXCEPTION 'what was rejected is no JSON object' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  INSERT INTO note (film, name, value) VALUES (p_film, 'rejected', p_value) ON CONFLICT (film, name) DO UPDATE SET value = excluded.value;
END $$;

-- Deletes a choice that cannot be read, and returns the id of its film, or null. A person may delete no other choice.
CREATE FUNCTION drop_unreadable(p_id bigint) RETURNS text LANGUAGE sql SECURITY DEFINER AS $$
  DELETE FROM choice WHERE id = p_id AND NOT readable_choice(body) RETURNING film
$$;
DO $$ DECLARE one text; BEGIN
  FOREACH one IN ARRAY ARRAY['are_texts(jsonb)', 'is_kind(jsonb, text)', 'choice_json(text)', 'readable_choice(text)', 'readable_run(jsonb, jsonb, jsonb)',
      'choice_login()', 'keep_rejected(text, text)', 'drop_unreadable(bigint)'] LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', one, current_schema());
  END LOOP;
END $$;
`;

/** Records the login with each new or changed word against a candidate, as `CHECKED_ROWS_MIGRATION` does with each choice. */
export const REJECTIONS_MIGRATION = `
CREATE OR REPLACE FUNCTION keep_rejected(p_film text, p_value text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE v_before jsonb := '{}'; v_value text;
  -- As in \`choice_json\`, which does not keep the order.
  v_safe text := regexp_replace(p_value, '\\\\u(0000|d[89a-f][0-9a-f]{2})', '\\\\u003f', 'gi');
BEGIN
  IF octet_length(p_value) > 8388608 OR json_typeof(p_value::json) <> 'object' THEN
    RAISE EXCEPTION 'what was rejected is no JSON object' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  BEGIN
    SELECT choice_json(value) INTO v_before FROM note WHERE film = p_film AND name = 'rejected';
  EXCEPTION WHEN others THEN NULL;
  END;
  SELECT json_object_agg(key, CASE WHEN jsonb_typeof(body) = 'object' AND v_before -> key IS DISTINCT FROM body
      THEN body || jsonb_build_object('login', session_user) ELSE body END ORDER BY n)::text INTO v_value
    FROM (SELECT key, value::jsonb AS body, n FROM json_each(v_safe::json) WITH ORDINALITY AS one (key, value, n)) AS each;
  INSERT INTO note (film, name, value) VALUES (p_film, 'rejected', coalesce(v_value, '{}'))
    ON CONFLICT (film, name) DO UPDATE SET value = excluded.value;
END $$;
DO $$ BEGIN
  EXECUTE format('ALTER FUNCTION keep_rejected(text, text) SET search_path = %I, pg_temp', current_schema());
END $$;
`;
