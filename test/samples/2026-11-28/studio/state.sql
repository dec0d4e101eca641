CREATE TABLE generations (
     seq               INTEGER PRIMARY KEY AUTOINCREMENT,
     id                TEXT NOT NULL UNIQUE,
     model             TEXT NOT NULL,
     media_type        TEXT NOT NULL,
     request           TEXT NOT NULL,
     target_namespace  TEXT,
     target_repo       TEXT,
     target_directory  TEXT,
     status            TEXT NOT NULL,
     enqueued_at       INTEGER NOT NULL,
     started_at        INTEGER,
     completed_at      INTEGER,
     file              TEXT,
     clean_plate       TEXT,
     facts             TEXT,
     cost              TEXT,
     error_message     TEXT
   , blame TEXT, idempotency_key TEXT, asks TEXT) STRICT;
CREATE INDEX generations_by_status ON generations (status, seq);
CREATE TABLE deployments (
     model    TEXT PRIMARY KEY,
     status   TEXT NOT NULL,
     becomes  TEXT NOT NULL,
     since    INTEGER NOT NULL,
     told     TEXT NOT NULL,
     told_at  INTEGER NOT NULL
   ) STRICT;
CREATE TABLE fine_tunes (
     namespace   TEXT NOT NULL,
     repo        TEXT NOT NULL,
     id          TEXT NOT NULL,
     base_model  TEXT NOT NULL,
     status      TEXT NOT NULL,
     since       INTEGER NOT NULL,
     PRIMARY KEY (namespace, repo, id)
   ) STRICT;
CREATE INDEX generations_by_key ON generations (idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE TABLE chat_answers (
     idempotency_key  TEXT PRIMARY KEY,
     asks             TEXT NOT NULL,
     at               INTEGER NOT NULL,
     answer           TEXT NOT NULL
   ) STRICT;
CREATE INDEX chat_answers_by_age ON chat_answers (at);
DELETE FROM sqlite_sequence;
INSERT INTO generations VALUES (1, 'e89d3c62-b5f0-403e-8d0b-73b138e2eb8f', 'I-GEN-A', 'image', '{"prompt":"a red fox"}', NULL, NULL, NULL, 'succeeded', 1793239799, 1793239800, 1793239800, 'result.webp', NULL, '{"kind":"image","format":"webp","width":256,"height":256}', '0.01', NULL, NULL, 'fa07d463-bbe8-4690-9ef2-e72e7ae3028f', 'XSRyGH7cIAShOLvdMUEo_VaNcZZB6EOlgR6k_ijcs6c');
INSERT INTO generations VALUES (2, 'cfd3a595-e888-4802-94e5-f7a9f9a39a0d', 'I-GEN-A', 'image', '{"prompt":"a red fox","seed":2}', NULL, NULL, NULL, 'succeeded', 1793239800, 1793239800, 1793239800, 'result.webp', NULL, '{"kind":"image","format":"webp","width":256,"height":256}', '0.01', NULL, NULL, 'b4515aff-a61b-4bf9-bf07-3cf847705db1', 'gU_-e02ndSWfyonSkXkhbk8YMhcJHc2qNN24Yvq9zEM');
INSERT INTO generations VALUES (3, 'f3d26ba5-3e89-4e51-b398-b71f3be87de1', 'V-I2V-A', 'video', '{"input_image":"http://studio.test/results/e89d3c62-b5f0-403e-8d0b-73b138e2eb8f/result.webp","prompt":"it waits","resolution":"540p","duration":"5s"}', NULL, NULL, NULL, 'succeeded', 1793239800, 1793239800, 1793239801, 'result.mp4', NULL, '{"kind":"video","format":"mp4","width":242,"height":136,"duration":5,"fps":24,"video_codec":"h264","audio_codec":"aac"}', '0.25', NULL, NULL, 'e34bc7b7-e277-4f8b-9cf7-6a09fcf1db07', '_XXurJlYpGvvBjNHFlqzcIejiMYQMkQpowzy8oRW-gw');
INSERT INTO generations VALUES (4, 'f2036881-7098-4399-9a0c-5b69af2a7a10', 'I-GEN-A', 'image', '{"prompt":"a fox in the ice"}', NULL, NULL, NULL, 'succeeded', 1793239806, 1793239806, 1793239806, 'result.webp', NULL, '{"kind":"image","format":"webp","width":256,"height":256}', '0.01', NULL, NULL, '27082699-751c-437b-9cab-af7fd409e66d', 'hxKGpjpACSxWaVFgA2J8SNmOBP5oT8F51IN3DJr5Ows');
INSERT INTO generations VALUES (5, 'f5636a14-9270-45f2-ac9f-56d5a4974395', 'I-GEN-A', 'image', '{"prompt":"a fox in the snow"}', NULL, NULL, NULL, 'succeeded', 1793239806, 1793239806, 1793239806, 'result.webp', NULL, '{"kind":"image","format":"webp","width":256,"height":256}', '0.01', NULL, NULL, '89e9233d-ad67-4658-a001-2d2ebbbafb2d', 'cn0N_b_ns64_qR_jABTjByAR6A6tHTRkuiU0cethz5E');
INSERT INTO generations VALUES (6, '360ea0f3-680f-4741-9ee7-25902d1f5b00', 'I-GEN-A', 'image', '{"prompt":"a fox in the ice","seed":2}', NULL, NULL, NULL, 'succeeded', 1793239806, 1793239806, 1793239806, 'result.webp', NULL, '{"kind":"image","format":"webp","width":256,"height":256}', '0.01', NULL, NULL, 'b59eeef5-dd3a-45d6-bf8c-a74dd4159281', '8kx5jyJJ6pS5xHsqn7nrUof36aw_UHOvutiG2S0yxSE');
INSERT INTO generations VALUES (7, 'cb884d4e-1e7d-43de-9050-f2d5796cbf79', 'I-GEN-A', 'image', '{"prompt":"a fox in the rain"}', NULL, NULL, NULL, 'succeeded', 1793239806, 1793239806, 1793239806, 'result.webp', NULL, '{"kind":"image","format":"webp","width":256,"height":256}', '0.01', NULL, NULL, '7e99e1d8-2b05-41ff-8850-cb46cc2d794b', '_VSzxO_JRb_Z5myn-S6_WUtwkt6aLPSW5TNvEj5zCV0');
INSERT INTO generations VALUES (8, '3502302f-de89-4b52-95dd-278c1c7fa515', 'I-GEN-A', 'image', '{"prompt":"a title card"}', NULL, NULL, NULL, 'succeeded', 1793239806, 1793239806, 1793239806, 'result.webp', NULL, '{"kind":"image","format":"webp","width":256,"height":256}', '0.01', NULL, NULL, '5a73d580-3062-4382-8ef4-8157c511f834', 'ck-Ie4XIDMm3woL_USxiAhvEMB4zQMStzYUQglJf9zc');
INSERT INTO generations VALUES (9, '5ceaa3ca-d2c7-46f3-afe8-b6811b5c6e37', 'I-GEN-A', 'image', '{"prompt":"a fox in the rain","seed":2}', NULL, NULL, NULL, 'succeeded', 1793239806, 1793239806, 1793239806, 'result.webp', NULL, '{"kind":"image","format":"webp","width":256,"height":256}', '0.01', NULL, NULL, 'e0d6d7cc-2d9f-4652-91b3-5f392901f95f', 'sqK-DLNbXxfG4gg61apAuazjeHcb0AE1o3EE9lOb4UI');
INSERT INTO generations VALUES (10, '38d5d5f3-b5b1-427b-8a35-eda60fa1073d', 'I-GEN-A', 'image', '{"prompt":"a fox in the snow","seed":2}', NULL, NULL, NULL, 'succeeded', 1793239806, 1793239806, 1793239806, 'result.webp', NULL, '{"kind":"image","format":"webp","width":256,"height":256}', '0.01', NULL, NULL, '6ea48722-22dd-476c-b1db-ed2933e50bf4', 'rKxdptVGj1sV7jrBPAy-0C9SlOltyF7NQ9Jn6VukgC4');
INSERT INTO generations VALUES (11, '4efbbfec-730f-49e3-bc84-95dc9f8e3659', 'I-GEN-A', 'image', '{"prompt":"a quick fox"}', NULL, NULL, NULL, 'succeeded', 1793239806, 1793239806, 1793239806, 'result.webp', NULL, '{"kind":"image","format":"webp","width":256,"height":256}', '0.01', NULL, NULL, '9a7cf8fe-8f2a-4720-8297-51f08655577e', 'pj3s8Nh6iBMeVays_V3QQpvmUh5AtsJQSjaaZKBV1uw');
INSERT INTO generations VALUES (12, 'c53371b5-1279-4eec-bcac-cca814ef0908', 'I-GEN-A', 'image', '{"prompt":"it fails at the service"}', NULL, NULL, NULL, 'failed', 1793239833, 1793239833, 1793239833, NULL, NULL, NULL, NULL, 'the fox has run away', 'request', '08394c46-c724-4cc0-a9b2-64bc33c4a774', 'dqBIyAwJZVBlLzts1RYG5qfgMR1CUpRwIvr9lBEkdh8');
INSERT INTO generations VALUES (13, '13678874-f7f7-4d7e-840a-c1d2663f824e', 'fox-look', 'video', '{"prompt":"growing ice, good better"}', NULL, NULL, NULL, 'processing', 1793239858, 1793239859, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '6f23663e-383e-4874-9f35-87a302ac88c9', 'XKpflQQf1UzAx7CkjO6Q1I3M897x1flBgXeJ2hqhmsY');
INSERT INTO generations VALUES (14, '60dc53db-c568-4a33-ba4b-dfbc35722c5b', 'fox-look', 'video', '{"prompt":"growing snow, good better"}', NULL, NULL, NULL, 'processing', 1793239859, 1793239859, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '3d4dcf62-d1f9-4662-b493-de9178a37dfd', 'YXPRf5oPo-tYRujNg5KzickkOw6ge0mHIs2CnNng79s');
INSERT INTO generations VALUES (15, '6c7acf52-3fae-4070-afab-87afa966b949', 'I-GEN-A', 'image', '{"prompt":"forgotten request"}', NULL, NULL, NULL, 'succeeded', 1793239866, 1793239866, 1793239866, 'result.webp', NULL, '{"kind":"image","format":"webp","width":256,"height":256}', '0.01', NULL, NULL, 'fa904c9a-aeab-4ed1-8751-547981081154', 'agqzpSHt2kRFZidfGb9qcRcFSW9mSwf-x91pEtwOhG0');
INSERT INTO generations VALUES (16, '2c1bb973-bdef-49a3-9f93-4fb512b26bd0', 'I-GEN-A', 'image', '{"prompt":"open at the service"}', NULL, NULL, NULL, 'processing', 1793239880, 1793239880, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '72cc24e0-dcf9-4b6c-9faf-ae0dfbbd8ffe', '7OLsCcSy5JEGCPnjuyUzcBl4nZ3gQsHYFADoT9tSVG0');
INSERT INTO generations VALUES (17, '2f3971d9-3fab-4cd6-b61e-53bf692bdfc0', 'I-GEN-A', 'image', '{"prompt":"vanished on the way"}', NULL, NULL, NULL, 'succeeded', 1793239885, 1793239885, 1793239885, 'result.webp', NULL, '{"kind":"image","format":"webp","width":256,"height":256}', '0.01', NULL, NULL, 'e7e5b75a-4928-4e7f-b820-edac4a76c81d', 'mAn3UI1JL1xVdP5inbBN_Jzorov3MSJeOLfB3_KcA8c');
INSERT INTO generations VALUES (18, '7ff6758e-0e49-426e-b3e8-33044a019029', 'I-GEN-A', 'image', '{"prompt":"lost answer"}', NULL, NULL, NULL, 'processing', 1793239894, 1793239894, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'e44cde72-9985-4515-a6c9-35101f364294', 'dZQw6pYwIQe6H2GVdtK0KKokcb85_c058gF0wEgUA_U');
INSERT INTO generations VALUES (19, '9c9d8fd2-394b-426d-92d2-d22f99e7726f', 'I-GEN-A', 'image', '{"prompt":"silent service"}', NULL, NULL, NULL, 'processing', 1793239894, 1793239895, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'fd773826-5aff-4837-afaa-2701ba81220b', 'qCzTD3Mv_W-zokOrOilFDPJaONeq3BLBajMlCU37_QU');
INSERT INTO generations VALUES (20, '2e4404e4-5a88-4257-8634-c6cb0444af43', 'I-GEN-A', 'image', '{"prompt":"made there"}', NULL, NULL, NULL, 'succeeded', 1793239895, 1793239895, 1793239895, 'result.webp', NULL, '{"kind":"image","format":"webp","width":256,"height":256}', '0.01', NULL, NULL, '16672c4d-6b59-4fd5-a8ab-7109e331b5d8', 'fxbf0tiBw-yIzJSQ4qHErMADl4G2CjhWrGp25ryZji8');
INSERT INTO generations VALUES (21, '8fcc938a-550e-49c8-ac9a-51bbb098884c', 'I-GEN-A', 'image', '{"prompt":"a small fox"}', NULL, NULL, NULL, 'succeeded', 1793239927, 1793239927, 1793239927, 'result.webp', NULL, '{"kind":"image","format":"webp","width":256,"height":256}', '0.01', NULL, NULL, 'e041879d-7a20-407a-9701-27020475674a', 'pXUHKQ2zVMjU9t6WEgqnlJ6_fkPy5uUMeg6ZdhrqIiY');
INSERT INTO generations VALUES (22, '8ebe5a61-4b06-43ab-8a5d-40be553b1345', 'I-GEN-A', 'image', '{"prompt":"a fox of many takes","seed":2}', NULL, NULL, NULL, 'succeeded', 1793239937, 1793239937, 1793239937, 'result.webp', NULL, '{"kind":"image","format":"webp","width":256,"height":256}', '0.01', NULL, NULL, '86f4c616-5f4f-4a12-869f-67c6643ef782', 'doCcc_sjgRrINy6sJs3MJOzBVxCOFK-77Y7RcQP8_yA');
INSERT INTO generations VALUES (23, 'a279a305-3993-4140-9abc-c30c6bd77f46', 'I-GEN-A', 'image', '{"prompt":"a fox of many takes"}', NULL, NULL, NULL, 'succeeded', 1793239937, 1793239937, 1793239937, 'result.webp', NULL, '{"kind":"image","format":"webp","width":256,"height":256}', '0.01', NULL, NULL, 'c4dbc700-ba69-47c5-8404-7164a7c8ae7f', 'UCUbBBz3LhEinzWvyPfmI6c18RFtwH_j-AQXZSdw0TQ');
INSERT INTO generations VALUES (24, '7bdc6ba4-2e44-4106-a75a-3a9b52df57de', 'I-GEN-A', 'image', '{"prompt":"led and open"}', NULL, NULL, NULL, 'processing', 1793239943, 1793239943, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'a79c9c02-3872-4366-95fd-6dd0e0349387', 'hui4vUhgqinlrsngUgipS9qOytD-sGENcZ42GVxxpq0');
INSERT INTO generations VALUES (25, '9f23449e-48bb-4557-af4b-60bf7d47e3bd', 'I-GEN-A', 'image', '{"prompt":"led and silent"}', NULL, NULL, NULL, 'processing', 1793239943, 1793239943, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '836db4d0-5a79-426b-856b-fbc806247752', 'rs8V9wKu8dzFHzenMhe8hcxGl3c8iikCUpaNUa8lzqI');
INSERT INTO deployments VALUES ('fox-look', 'active', 'active', 1793239855696, 'active', 1793239923435);
INSERT INTO deployments VALUES ('river-look', 'active', 'active', 1793239797751, 'active', 1793239918546);
INSERT INTO deployments VALUES ('storm-look', 'error', 'error', 1793239839375, 'error', 1793239918552);
INSERT INTO fine_tunes VALUES ('film-house', 'looks', 'ft-night-train', 'V-T2V-A', 'created', 1793239797668);
INSERT INTO fine_tunes VALUES ('film-house', 'looks', 'ft-harbour', 'I-GEN-A', 'tokenizing', 1793239800289);
INSERT INTO fine_tunes VALUES ('film-house', 'looks', 'ft-static', 'I-GEN-A', 'created', 1793239797713);
INSERT INTO fine_tunes VALUES ('film-house', 'looks', 'ft-lighthouse', 'I-GEN-A', 'tokenized', 1793239797729);
INSERT INTO fine_tunes VALUES ('film-house', 'looks', 'ft-snow', 'V-T2V-A', 'running', 1793239797735);
INSERT INTO fine_tunes VALUES ('film-house', 'looks', 'ft-fox', 'V-T2V-A', 'succeeded', 1793239797739);
INSERT INTO fine_tunes VALUES ('film-house', 'looks', 'ft-fog', 'I-GEN-A', 'failed', 1793239797743);
INSERT INTO sqlite_sequence VALUES ('generations', 25);
PRAGMA user_version = 3;
