/** Commands that ask a service one thing, without a file; and the built-in studio, which serves. */
import { type CommandHelp, DRAFT, JSON_DOCUMENT, MODEL, type Options, operand, option, SERVICE } from './option.ts';

const ON_UNKNOWN = { value: 'WHAT', oneOf: ['fail', 'resubmit'] } as const;
const DEPLOYING = {
  'no-wait': { about: 'do not wait until the deployment has settled' },
  ...SERVICE,
  ...DRAFT,
  ...JSON_DOCUMENT,
} as const satisfies Options;
const CATALOG_JSON = {
  json: { about: "as JSON, in the shape of the service's own catalog, with what each makes of what" },
} as const satisfies Options;
const FIELDS = { name: 'FIELD=VALUE…', takes: 'nothing' } as const;

export const SERVICE_COMMANDS = {
  models: {
    usage: 'models [ID]',
    brief: 'the models by what they make of what, with prices; or one in full, with a step to paste',
    operands: [operand('ID', 'model', 'one model in full')],
    options: {
      live: { about: 'one model: its deployment, asked of its provider just now' },
      ...SERVICE,
      ...CATALOG_JSON,
    },
    examples: {
      'shotlist models': 'all of them, by what they make of what',
      'shotlist models V-I2V-A': 'one in full, with a step to paste',
    },
    exits: [0, 2, 6],
  },
  'models search': {
    usage: 'models search WORD|FIELD=VALUE…',
    brief: 'the models with a word in their label, their name or what they do, or of a developer',
    operands: [
      operand(
        'WORD|FIELD=VALUE…',
        'nothing',
        'in their label, their name or what they do; developer=NAME: of this developer; action=NAME: with this fine-tuning action',
      ),
    ],
    options: {
      ...SERVICE,
      ...CATALOG_JSON,
    },
    examples: {
      'shotlist models search upscale': 'what it does',
      'shotlist models search fox developer=me --service render-farm': 'your own',
    },
    exits: [0, 2, 6],
  },
  'models activate': {
    usage: 'models activate MODEL',
    brief: "bring up a custom model's deployment, which bills from then on",
    operands: [MODEL],
    options: DEPLOYING,
    examples: {
      'shotlist models activate me/fox-lora --service render-farm': 'and wait until it is up',
      'shotlist models activate me/fox-lora --no-wait': 'only ask for it',
    },
    exits: [0, 1, 2, 6, 130],
  },
  'models deactivate': {
    usage: 'models deactivate MODEL',
    brief: "end a custom model's deployment: it bills no more",
    operands: [MODEL],
    options: DEPLOYING,
    examples: {
      'shotlist models deactivate me/fox-lora --service render-farm': 'and wait until it is down',
      'shotlist models deactivate me/fox-lora --json': 'the model, as the service shows it then',
    },
    exits: [0, 1, 2, 6, 130],
  },
  'models tokenize': {
    usage: 'models tokenize NAMESPACE/REPO ID',
    brief: 'trigger the tokenization of a fine-tune',
    operands: [
      operand('NAMESPACE/REPO', 'nothing', 'the repository'),
      operand('ID', 'nothing', 'a fine-tune of it in the state `created`'),
    ],
    options: { ...SERVICE, ...JSON_DOCUMENT },
    examples: {
      'shotlist models tokenize me/foxes ft_1 --service render-farm': 'its state afterwards',
      'shotlist models tokenize me/foxes ft_1 --json': 'the fine-tune, as the service shows it',
    },
    exits: [0, 1, 2, 6, 130],
  },
  generate: {
    usage: 'generate MODEL FIELD=VALUE…',
    brief: 'one request, made and saved, without a file',
    operands: [
      MODEL,
      { ...FIELDS, about: "a field of the model's request; a list is the field given again; media is a URL or a file" },
    ],
    options: {
      out: option('PATH', 'where the film or picture goes (default: here, under a name of its own)', { takes: 'file' }),
      sync: { about: 'ask the endpoint that answers when it is done, not the queue' },
      'on-unknown': {
        ...ON_UNKNOWN,
        about: 'what the same command sent before with unknown outcome: stop (default), or risk paying twice',
      },
      forget: { about: 'what the same command left open is waited for no more: a new one is sent' },
      ...SERVICE,
      ...DRAFT,
      json: { about: 'what was asked and what came of it: files with digest, size and address' },
    },
    examples: {
      'shotlist generate I-GEN-A prompt="a red fox" --out fox.webp': 'a picture',
      'shotlist generate V-I2V-A prompt="it turns its head" input_image=fox.webp resolution=720p --draft':
        'a film of a picture of yours, drawn quickly',
    },
    exits: [0, 1, 2, 6, 130],
  },
  chat: {
    usage: 'chat MODEL [PROMPT]',
    brief: 'talk to a chat model, or ask it once',
    operands: [
      MODEL,
      operand(
        'PROMPT',
        'nothing',
        'one answer, then the end; so does a prompt from a pipe. Without one: a conversation until /bye',
      ),
      { ...FIELDS, about: 'a field of the request: temperature=0.2, max_tokens=200' },
    ],
    options: {
      system: option('TEXT', 'the system message'),
      image: option('URL|FILE', 'what it is shown with the prompt (may be repeated)', { many: true, takes: 'file' }),
      'on-unknown': {
        ...ON_UNKNOWN,
        about: 'one that was asked before and never answered: stop (default), or ask it again',
      },
      ...SERVICE,
      json: { about: 'one answer as JSON: text, finish_reason, usage, cost' },
    },
    examples: {
      'shotlist chat C-D': 'a conversation; Ctrl-C stops an answer, twice ends it',
      'shotlist chat C-B "what is in it?" --image fox.webp temperature=0.2': 'one answer',
    },
    exits: [0, 1, 2, 6, 130],
  },
  studio: {
    usage: 'studio',
    brief: 'serve the built-in studio alone (the same API, free, on this machine)',
    operands: [],
    options: {
      port: option('N', 'where it listens (default: a free port)', { default: '0' }),
      folder: option('DIR', 'where it keeps its state (default: .shotlist/studio/server)', {
        default: '.shotlist/studio/server',
        takes: 'folder',
      }),
      cache: option(
        'DIR',
        'keep what is drawn there, by content, and draw nothing twice (default: $SHOTLIST_STUDIO_CACHE)',
        { takes: 'folder' },
      ),
      strict: { about: 'offer only what the interface document promises' },
      vice: option('NAME[=N]', 'misbehave, to test a client (may be repeated; `--vice list` lists them)', {
        many: true,
      }),
      seed: option('N', 'it misbehaves the same way for the same seed', { default: '1' }),
      ...DRAFT,
      json: { about: 'its address and key as one JSON document, then it serves' },
    },
    examples: {
      'shotlist studio --port 4000': 'until Ctrl-C',
      'shotlist studio --draft --vice drops-answers --seed 7': 'to test a client of the service',
    },
    exits: [0, 2],
  },
} as const satisfies { readonly [name: string]: CommandHelp };
