/** Workflows of other systems, in the shapes in which those save them; ours, so that each holds what a test is about. */

const API_IMAGE = {
  '3': {
    class_type: 'KSampler',
    inputs: {
      seed: 42,
      steps: 20,
      cfg: 7,
      sampler_name: 'euler',
      scheduler: 'normal',
      denoise: 1,
      model: ['10', 0],
      positive: ['6', 0],
      negative: ['7', 0],
      latent_image: ['5', 0],
    },
  },
  '4': { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: 'sd_xl_base_1.0.safetensors' } },
  '5': { class_type: 'EmptyLatentImage', inputs: { width: 1024, height: 576, batch_size: 2 } },
  '6': {
    class_type: 'CLIPTextEncode',
    inputs: { text: 'a red fox on a frozen river', clip: ['10', 1] },
    _meta: { title: 'Prompt' },
  },
  '7': { class_type: 'CLIPTextEncode', inputs: { text: 'blurry', clip: ['10', 1] } },
  '8': { class_type: 'VAEDecode', inputs: { samples: ['3', 0], vae: ['4', 2] } },
  '9': { class_type: 'SaveImage', inputs: { filename_prefix: 'river/fox', images: ['8', 0] } },
  '10': {
    class_type: 'LoraLoader',
    inputs: { lora_name: 'snow.safetensors', strength_model: 0.8, strength_clip: 1, model: ['4', 0], clip: ['4', 1] },
  },
};

/** A picture is edited, brought to life, and made larger; a custom node looks on. */
const API_VIDEO = {
  '1': { class_type: 'LoadImage', inputs: { image: 'fox.png', upload: 'image' } },
  '2': { class_type: 'VAEEncode', inputs: { pixels: ['1', 0], vae: ['20', 2] } },
  '3': { class_type: 'CLIPTextEncode', inputs: { text: 'in winter', clip: ['20', 1] } },
  '4': {
    class_type: 'KSampler',
    inputs: {
      seed: 1,
      steps: 30,
      cfg: 2.5,
      sampler_name: 'euler',
      scheduler: 'normal',
      denoise: 0.6,
      model: ['20', 0],
      positive: ['3', 0],
      negative: ['3', 0],
      latent_image: ['2', 0],
    },
    _meta: { title: 'Winter edit' },
  },
  '5': { class_type: 'VAEDecode', inputs: { samples: ['4', 0], vae: ['20', 2] } },
  '6': { class_type: 'CLIPTextEncode', inputs: { text: 'it turns its head', clip: ['20', 1] } },
  '7': {
    class_type: 'WanImageToVideo',
    inputs: {
      positive: ['6', 0],
      negative: ['3', 0],
      vae: ['20', 2],
      width: 832,
      height: 480,
      length: 121,
      batch_size: 1,
      start_image: ['5', 0],
    },
  },
  '8': {
    class_type: 'KSampler',
    inputs: {
      seed: 9,
      steps: 20,
      cfg: 6,
      sampler_name: 'uni_pc',
      scheduler: 'simple',
      denoise: 1,
      model: ['21', 0],
      positive: ['7', 0],
      negative: ['7', 1],
      latent_image: ['7', 2],
    },
  },
  '9': { class_type: 'VAEDecode', inputs: { samples: ['8', 0], vae: ['20', 2] } },
  '10': { class_type: 'ImageUpscaleWithModel', inputs: { upscale_model: ['11', 0], image: ['9', 0] } },
  '11': { class_type: 'UpscaleModelLoader', inputs: { model_name: '4x.pth' } },
  '12': { class_type: 'CreateVideo', inputs: { images: ['10', 0], fps: 24 } },
  '13': {
    class_type: 'SaveVideo',
    inputs: { filename_prefix: 'video/fox', format: 'auto', codec: 'auto', video: ['12', 0] },
  },
  '14': { class_type: 'FaceDetailerPipe', inputs: { image: ['5', 0] } },
  '20': { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: 'a.safetensors' } },
  '21': { class_type: 'UNETLoader', inputs: { unet_name: 'wan.safetensors', weight_dtype: 'default' } },
};

/** The same picture as `API_IMAGE`, as `Save` writes it, with a reroute, a note, a muted node and one that is bypassed. */
const SAVED = {
  last_node_id: 12,
  last_link_id: 12,
  version: 0.4,
  groups: [],
  config: {},
  extra: {},
  nodes: [
    {
      id: 3,
      type: 'KSampler',
      mode: 0,
      inputs: [
        { name: 'model', type: 'MODEL', link: 11 },
        { name: 'positive', type: 'CONDITIONING', link: 4 },
        { name: 'negative', type: 'CONDITIONING', link: 6 },
        { name: 'latent_image', type: 'LATENT', link: 2 },
      ],
      outputs: [{ name: 'LATENT', type: 'LATENT', links: [7] }],
      widgets_values: [42, 'randomize', 20, 7, 'euler', 'normal', 1],
    },
    { id: 4, type: 'CheckpointLoaderSimple', mode: 0, inputs: [], widgets_values: ['sd_xl_base_1.0.safetensors'] },
    { id: 5, type: 'EmptyLatentImage', mode: 0, inputs: [], widgets_values: [1024, 576, 2] },
    {
      id: 6,
      type: 'CLIPTextEncode',
      title: 'Prompt',
      mode: 0,
      inputs: [{ name: 'clip', type: 'CLIP', link: 3 }],
      widgets_values: ['a red fox on a frozen river'],
    },
    {
      id: 7,
      type: 'CLIPTextEncode',
      mode: 0,
      inputs: [{ name: 'clip', type: 'CLIP', link: 5 }],
      widgets_values: ['blurry'],
    },
    {
      id: 8,
      type: 'VAEDecode',
      mode: 0,
      inputs: [
        { name: 'samples', type: 'LATENT', link: 7 },
        { name: 'vae', type: 'VAE', link: 8 },
      ],
    },
    {
      id: 9,
      type: 'SaveImage',
      mode: 0,
      inputs: [{ name: 'images', type: 'IMAGE', link: 12 }],
      widgets_values: ['river/fox'],
    },
    {
      id: 10,
      type: 'LoraLoader',
      mode: 4,
      inputs: [
        { name: 'model', type: 'MODEL', link: 1 },
        { name: 'clip', type: 'CLIP', link: 10 },
      ],
      widgets_values: ['snow.safetensors', 0.8, 1],
    },
    { id: 11, type: 'Note', mode: 0, inputs: [], widgets_values: ['the fox looks left\nalways'] },
    { id: 12, type: 'Reroute', mode: 0, inputs: [{ name: '', type: '*', link: 9 }] },
    { id: 13, type: 'PreviewImage', mode: 2, inputs: [{ name: 'images', type: 'IMAGE', link: null }] },
  ],
  links: [
    [1, 4, 0, 10, 0, 'MODEL'],
    [2, 5, 0, 3, 3, 'LATENT'],
    [3, 4, 1, 6, 0, 'CLIP'],
    [4, 6, 0, 3, 1, 'CONDITIONING'],
    [5, 4, 1, 7, 0, 'CLIP'],
    [6, 7, 0, 3, 2, 'CONDITIONING'],
    [7, 3, 0, 8, 0, 'LATENT'],
    [8, 4, 2, 8, 1, 'VAE'],
    [9, 8, 0, 12, 0, 'IMAGE'],
    [10, 4, 1, 10, 1, 'CLIP'],
    [11, 10, 0, 3, 0, 'MODEL'],
    [12, 12, 0, 9, 0, '*'],
  ],
};

const FAL = {
  name: 'Story of a Fox',
  contents: {
    name: 'workflow',
    nodes: {
      output: {
        id: 'output',
        type: 'display',
        depends: ['node-film'],
        input: {},
        fields: { film: '$node-film.video.url', still: '$node-still.images.0.url' },
      },
      'node-llm': {
        id: 'node-llm',
        type: 'run',
        depends: ['input'],
        app: 'fal-ai/any-llm',
        input: { prompt: '$input.idea', system_prompt: 'You write one prompt.', model: 'google/gemini-flash' },
      },
      'node-still': {
        id: 'node-still',
        type: 'run',
        depends: ['node-llm'],
        app: 'fal-ai/flux/dev',
        input: {
          prompt: '$node-llm.output',
          image_size: 'landscape_16_9',
          num_inference_steps: 28,
          seed: 7,
          enable_safety_checker: true,
        },
      },
      'node-shot': {
        id: 'node-shot',
        type: 'run',
        depends: ['node-still'],
        app: 'fal-ai/kling-video/v2.1/standard/image-to-video',
        input: { prompt: 'slow push in', image_url: '$node-still.images.0.url', duration: '5', cfg_scale: 0.5 },
      },
      'node-other': {
        id: 'node-other',
        type: 'run',
        depends: ['input'],
        app: 'fal-ai/veo3',
        input: { prompt: '$input.idea', aspect_ratio: '16:9', duration: '8s' },
      },
      'node-cutout': {
        id: 'node-cutout',
        type: 'run',
        depends: ['node-still'],
        app: 'fal-ai/bria/background/remove',
        input: { image_url: '$node-still.images.0.url' },
      },
      'node-film': {
        id: 'node-film',
        type: 'run',
        depends: ['node-shot', 'node-other'],
        app: 'fal-ai/ffmpeg-api/merge-videos',
        input: { video_urls: ['$node-shot.video.url', '$node-other.video.url'] },
      },
    },
    output: { film: '$node-film.video.url' },
    schema: {
      input: { idea: { name: 'idea', label: 'What it is about', type: 'string', required: true, modelId: 'node-llm' } },
      output: {},
    },
    version: '1',
  },
};

/** As the documentation writes one by hand: nodes at the top. */
const FAL_BY_HAND = {
  input: { id: 'input', type: 'input', depends: [], input: { prompt: 'a fox' } },
  node_1: {
    id: 'node_1',
    type: 'run',
    depends: ['input'],
    app: 'fal-ai/flux/dev',
    input: { prompt: '$input.prompt', num_images: 3 },
  },
  node_2: {
    id: 'node_2',
    type: 'run',
    depends: ['node_1'],
    app: 'fal-ai/flux-pro/kontext',
    input: { prompt: 'in winter', image_url: '$node_1.images.0.url' },
  },
  output: { id: 'output', type: 'display', depends: ['node_2'], fields: { image: '$node_2.images.0.url' } },
};

/** Nodes that ask hosted models. One film goes on through a node that nobody knows, which is the last. */
const PARTNERS = {
  '1': { class_type: 'LoadImage', inputs: { image: 'fox.png' } },
  '2': { class_type: 'PrimitiveStringMultiline', inputs: { value: 'it turns its head' } },
  '3': {
    class_type: 'KlingImage2VideoNode',
    inputs: {
      ...{ start_frame: ['1', 0], prompt: ['2', 0], negative_prompt: '', model_name: 'kling-v2-master' },
      ...{ cfg_scale: 0.8, mode: 'std', aspect_ratio: '16:9', duration: '5' },
    },
  },
  '4': { class_type: 'RIFE VFI', inputs: { frames: ['3', 0], multiplier: 2 } },
  '5': { class_type: 'VHS_VideoCombine', inputs: { images: ['4', 0], frame_rate: 48, filename_prefix: 'fox' } },
  '6': {
    class_type: 'LumaImageToVideoNode',
    inputs: {
      prompt: 'snow falls',
      model: 'ray-2',
      first_image: ['1', 0],
      resolution: '720p',
      duration: '5s',
      loop: true,
    },
  },
  '7': {
    class_type: 'RunwayFirstLastFrameNode',
    inputs: {
      prompt: 'it runs',
      start_frame: ['1', 0],
      end_frame: ['8', 0],
      duration: '10',
      ratio: '1280:768',
      seed: 3,
    },
  },
  '8': {
    class_type: 'RunwayTextToImageNode',
    inputs: { prompt: 'the fox at the far bank', ratio: '1920:1080' },
    _meta: { title: 'Far bank' },
  },
  '9': {
    class_type: 'Veo3VideoGenerationNode',
    inputs: {
      ...{ prompt: 'a fox barks', aspect_ratio: '9:16', negative_prompt: 'people', duration_seconds: 8 },
      ...{ enhance_prompt: true, seed: 4_294_967_295, model: 'veo-3.0-generate-001', generate_audio: true },
    },
  },
  '10': { class_type: 'SaveVideo', inputs: { filename_prefix: 'video/bark', video: ['9', 0] } },
  '11': {
    class_type: 'MinimaxHailuoVideoNode',
    inputs: { prompt_text: 'the river', seed: 5, prompt_optimizer: true, duration: 6, resolution: '768P' },
  },
  '12': {
    class_type: 'MinimaxSubjectToVideoNode',
    inputs: { subject: ['1', 0], prompt_text: 'it sleeps', model: 'S2V-01', seed: 6 },
  },
  '13': { class_type: 'MoonvalleyVideo2VideoNode', inputs: { video: ['11', 0], prompt: 'in charcoal' } },
  '14': { class_type: 'KlingLipSyncAudioToVideoNode', inputs: { video: ['13', 0], audio: ['15', 0] } },
  '15': { class_type: 'LoadAudio', inputs: { audio: 'fox.wav' } },
  '16': { class_type: 'SaveVideo', inputs: { filename_prefix: 'video/charcoal', video: ['14', 0] } },
};

/** A partner's node as newer versions save it: values have slots with names, and the one behind the seed has none. */
const PARTNER_SAVED = {
  nodes: [
    {
      ...{ id: 1, type: 'MinimaxTextToVideoNode', mode: 0, widgets_values: ['the river', 'T2V-01', 7, 'randomize'] },
      inputs: ['prompt_text', 'model', 'seed'].map(name => ({ name, type: '*', widget: { name }, link: null })),
    },
    {
      ...{ id: 2, type: 'SaveVideo', mode: 0, widgets_values: ['river', 'auto', 'auto'] },
      inputs: [{ name: 'video', type: 'VIDEO', link: 1 }],
    },
  ],
  links: [[1, 1, 0, 2, 0, 'VIDEO']],
};

/** References within texts, and a film that goes through apps that nobody here has. */
const FAL_INLINE = {
  input: { id: 'input', type: 'input', depends: [], input: { topic: 'a fox', light: 'dawn' } },
  still: {
    ...{ id: 'still', type: 'run', app: 'fal-ai/flux/dev' },
    input: { prompt: 'A poster of $input.topic at $input.light, $5 a print; {{ mask }}.' },
  },
  joined: {
    ...{ id: 'joined', type: 'run', app: 'fal-ai/text-concat' },
    input: { text1: 'For $input.topic', text2: '$still.images.0.url', text3: 'slowly' },
  },
  shot: {
    ...{ id: 'shot', type: 'run', app: 'fal-ai/veo3/image-to-video' },
    input: { prompt: '$joined.results', image_url: '$cutout.image.url', end_image_url: '$nowhere.url' },
  },
  cutout: {
    ...{ id: 'cutout', type: 'run', app: 'fal-ai/bria/background/remove' },
    input: { image_url: '$still.images.0.url' },
  },
  framed: {
    ...{ id: 'framed', type: 'run', app: 'fal-ai/flux-pro/kontext' },
    input: { prompt: 'As $still.images.0.url, framed', image_url: '$shot.video.url' },
  },
  voiced: { id: 'voiced', type: 'run', app: 'fal-ai/sync-lipsync', input: { video_url: '$shot.video.url' } },
  output: { id: 'output', type: 'display', depends: ['voiced'], fields: { film: '$voiced.video.url' } },
};

export const WORKFLOWS = {
  ...{ API_IMAGE, API_VIDEO, SAVED, PARTNERS, PARTNER_SAVED, FAL, FAL_BY_HAND, FAL_INLINE },
} as const;
