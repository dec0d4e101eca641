/**
 * What a first assistant hears in a prompt: one table for each thing a shot has, English and Chinese side by side.
 * In every table the word that stands first in the prompt wins, and of two at the same place the longer ("lighthouse keeper" is a
 * person, "lighthouse" is a building). English needs word borders ("sailor" once drew a ship); Chinese has none.
 */
export type ShotSize = 'extreme-wide' | 'wide' | 'medium' | 'close' | 'extreme-close';
export type CameraMove =
  | 'locked'
  | 'drift'
  | 'pan-left'
  | 'pan-right'
  | 'tilt-up'
  | 'tilt-down'
  | 'truck-left'
  | 'tracking'
  | 'push-in'
  | 'pull-out'
  | 'zoom-in'
  | 'zoom-out'
  | 'crane-up'
  | 'crane-down'
  | 'orbit'
  | 'handheld'
  | 'aerial'
  | 'roll';
export type Pace = 'slow' | 'steady' | 'fast';
export type TimeOfDay = 'dawn' | 'day' | 'golden' | 'sunset' | 'dusk' | 'night' | 'neon' | 'overcast';
export type WeatherKind = 'rain' | 'snow' | 'fog' | 'dust' | 'embers' | 'fireflies' | 'petals' | 'bubbles';
export type Place =
  | 'river'
  | 'mountain'
  | 'forest'
  | 'coast'
  | 'ocean'
  | 'city'
  | 'desert'
  | 'field'
  | 'road'
  | 'snowfield'
  | 'interior'
  | 'space'
  | 'underwater'
  | 'abstract';
export type Animal =
  | 'fox'
  | 'wolf'
  | 'dog'
  | 'cat'
  | 'deer'
  | 'horse'
  | 'bear'
  | 'panda'
  | 'lion'
  | 'tiger'
  | 'leopard'
  | 'camel'
  | 'elephant'
  | 'rabbit'
  | 'cow'
  | 'dinosaur';
export type SubjectKind =
  | Animal
  | 'person'
  | 'couple'
  | 'crowd'
  | 'robot'
  | 'bird'
  | 'butterfly'
  | 'whale'
  | 'car'
  | 'bike'
  | 'train'
  | 'ship'
  | 'balloon'
  | 'plane'
  | 'rocket'
  | 'flower'
  | 'lighthouse'
  | 'house'
  | 'product';
export type Headwear = 'none' | 'souwester' | 'hood' | 'brim' | 'cap' | 'helmet' | 'straw' | 'toque';
export type Garment = 'raincoat' | 'coat' | 'dress' | 'plain';
/** What else the words name that a painter of places, skies or things can show. */
export type Extra =
  | 'aurora'
  | 'fireworks'
  | 'rainbow'
  | 'kite'
  | 'beach'
  | 'skyline'
  | 'jungle'
  | 'bamboo'
  | 'savanna'
  | 'mars'
  | 'waterfall'
  | 'raptor'
  | 'cup'
  | 'bowl'
  | 'clock'
  | 'phone'
  | 'perfume'
  | 'shoe'
  | 'motor'
  | 'herd'
  | 'steam engine'
  | 'campfire'
  | 'palms'
  | 'village'
  | 'books'
  | 'castle'
  | 'dragon'
  | 'umbrella'
  | 'table'
  | 'asleep'
  | 'talking';
export type Mood = 'calm' | 'tense' | 'joyful' | 'sad' | 'epic';

export type Vocabulary<Word extends string> = readonly (readonly [word: Word, said: RegExp])[];

export const SIZES: Vocabulary<ShotSize> = [
  ['extreme-close', /\bextreme close[- ]?ups?\b|\bmacro\b|\bECU\b|大特写|微距/gi],
  ['close', /\bclose[- ]?ups?\b|\bclose shot\b|\bCU\b|\bclose on\b|\bclose\b(?= [-–—] |:)|\bheadshot\b|特写|近景/gi],
  [
    'medium',
    /\bmedium( close)?([- ](shot|up))?\b|\bMS\b|\bmid[- ]?shot\b|\bwaist\b|\bcowboy shot\b|\bover[- ]the[- ]shoulder\b|\btwo[- ]shot\b|中景|半身/gi,
  ],
  [
    'extreme-wide',
    /\bextreme wide\b|\bestablishing\b|\baerial\b|\bdrone\b|\bpanorama\b|\bbird'?s[- ]eye\b|大远景|航拍|鸟瞰|无人机/gi,
  ],
  ['wide', /\bwide\b|\blong shot\b|\bfull shot\b|\bWS\b|\blandscape\b|\bskyline\b|\bvista\b|远景|全景/gi],
];

export const CAMERAS: Vocabulary<CameraMove> = [
  [
    'locked',
    /\bstatic\b|\blocked([- ]off)?\b|\btripod\b|\bfixed camera\b|\bstill camera\b|\bno camera (movement|motion|moves?)\b|\bcamera (does not|doesn'?t|never) moves?\b|固定镜头|固定机位|静止镜头/gi,
  ],
  ['pan-left', /\bpan(s|ning)? (slowly )?(to the )?left\b|左摇|向左摇/gi],
  ['pan-right', /\bpan(s|ning)?\b(?! for)( (slowly )?(to the )?right\b)?|右摇|向右摇|横摇|摇镜/gi],
  ['tilt-up', /\btilt(s|ing)? up\b|上摇|仰拍/gi],
  ['tilt-down', /\btilt(s|ing)? down\b|下摇|俯拍/gi],
  ['truck-left', /(?<!\b(?:the|an?|his|her|their) )\b(truck|track|slide|dolly)(s|ing)? (to the )?left\b|左移/gi],
  [
    'tracking',
    /(?<!\b(?:the|an?|his|her|their) )\b(truck|track|slide|dolly)(s|ing)? (to the )?right\b|\btracking\b|\btracks\b(?= (shot|with|him|her|it|them|the|a)\b)|\bfollow(s|ing)? (shot|him|her|it|them|along)\b|\bsteadicam\b|跟拍|跟随|右移|移动镜头/gi,
  ],
  [
    'pull-out',
    /\b(dolly|push|pull|pulls|pulling|dollies)(s|ing)?[- ]?(slowly )?(out|back|away)\b|\breveal(s|ing)?\b|拉远|拉镜|后拉/gi,
  ],
  [
    'push-in',
    /\b(dolly|push|pushes|pushing|move|creep|dollies)(s|ing)?[- ]?(slowly )?(in|forward|towards?)\b|\bdolly\b|推进|推镜|推近/gi,
  ],
  ['zoom-out', /\bzoom(s|ing)?[- ]?out\b|变焦拉远/gi],
  ['zoom-in', /\b(crash )?zoom(s|ing)?\b([- ]?in\b)?|变焦/gi],
  [
    'crane-up',
    /\b(crane|boom|pedestal)(s|ing)?( up)?\b(?! (bird|flies))|\bcamera (rises|lifts)\b|\brising shot\b|升镜|镜头(缓缓|缓慢|慢慢)?(升|上升)/gi,
  ],
  ['crane-down', /\b(crane|boom|pedestal)(s|ing)? down\b|\bcamera (descends|lowers)\b|降镜|镜头下降/gi],
  [
    'orbit',
    /\borbit(s|ing)?\b(?! of)|\barc shot\b|\bcircl(es|ing) around\b|\b(dolly|dollies|moves?|tracks?|spins?) around\b|\brotat(es|ing) around\b|环绕/gi,
  ],
  ['handheld', /\bhand[- ]?held\b|\bshaky\b|\bdocumentary\b|手持/gi],
  ['aerial', /\bdrone\b|\bfly(ing)?[- ]?over\b|\baerial\b|航拍|无人机/gi],
  ['roll', /\bdutch\b|\bbarrel roll\b|\bcamera rolls\b|\broll(s|ing) the camera\b/gi],
];

export const PACES: Vocabulary<Pace> = [
  ['slow', /\bslow(ly)?\b|\bgentle\b|\bgently\b|缓慢|缓缓|慢慢|慢动作|慢镜/gi],
  ['fast', /\bfast\b|\bquick(ly)?\b|\bwhip\b|\brapid(ly)?\b|\bcrash zoom\b|\btime[- ]?lapse\b|快速|急速|延时/gi],
];

export const TIMES: Vocabulary<TimeOfDay> = [
  ['neon', /\bneon\b|\bcyberpunk\b|\bsynthwave\b|霓虹|赛博/gi],
  [
    'golden',
    /\bgolden( hour)?\b(?! (retriever|eagle|gate))|\bamber light\b|\bautumn\b|\bwarm light\b|黄金时刻|暖光|暖黄|暖色|秋/gi,
  ],
  ['sunset', /\bsunset\b|\bsundown\b|\bsun sets\b|\bsetting sun\b|\bsun goes down\b|日落|夕阳/gi],
  [
    'dawn',
    /\bdawn\b|\bsunrise\b|\b(early )?morning\b|\bdaybreak\b|\bfirst light\b|\bsun rises\b|\brising sun\b|清晨|日出|黎明|拂晓|早晨/gi,
  ],
  ['dusk', /\bdusk\b|\btwilight\b|\bblue hour\b|\bevening\b|\bnightfall\b|黄昏|傍晚|暮/gi],
  [
    'night',
    /\bnights?\b|\bmidnight\b|\bmoon(light|lit)?\b|\bstarry\b|\b(under|and|many|full of|the) stars\b|, stars\b|\bin the dark\b|\bauroras?\b|\bnorthern lights\b|\bfireworks?\b|\bdarkness\b|\bdark (room|street|alley|forest|sky|house)\b|\bstreet ?(light|lamp)s?\b|\bcandle ?light\b|极光|烟花|夜|月光|星空|路灯/gi,
  ],
  ['overcast', /\bovercast\b|\bgr[ea]y (sky|day|morning)\b|\bnoir\b|\bgloomy\b|\bmoody\b|阴天|阴沉/gi],
  [
    'day',
    /\bday(time|light)?\b|\bsunny\b|\bnoon\b|\bbright\b|\bblue sky\b|\bsummer\b|\bmidday\b|\bsun(light|lit|shine|beams?)\b|白天|晴|正午|阳光|蓝天/gi,
  ],
];

export const WEATHERS: Vocabulary<WeatherKind> = [
  [
    'rain',
    /\brain(s|y|ing|storm)?\b|(?<!\b(?:dust|sand|snow|ice)[- ])\bstorm(s|y)?\b(?! of)|\bdrizzle\b|\bdownpour\b|\bthunder\b|雨|风暴|暴风/gi,
  ],
  ['snow', /\bsnow(s|y|ing|fall|flakes?)?\b|\bblizzard\b|雪/gi],
  ['fog', /\bfog(gy)?\b|\bmist(y|s)?\b|\bhaz[ey]\b|\bsmok[ey]\b|\bsteam(ing|y)?\b|雾|烟|蒸汽/gi],
  ['dust', /\bdust(y)?\b|\bsandstorm\b|\bpollen\b|尘|沙尘/gi],
  ['embers', /\bfire\b|\bembers?\b|\bsparks?\b|\blava\b|\bcampfire\b|\bexplosion\b|\bflames?\b|火(?!车)|余烬/gi],
  ['fireflies', /\bfirefl(y|ies)\b|\bmagic(al)?\b|\bfairy\b|萤火|魔法|精灵/gi],
  ['petals', /\bpetals?\b|\bblossoms?\b|\bcherry\b|\bfalling leaves\b|\bconfetti\b|樱花|花瓣|落叶/gi],
];

export const PLACES: Vocabulary<Place> = [
  [
    'space',
    /\b(outer )?space\b|\bgalaxy\b|\bplanets?\b|\bnebula\b|\b(star|space)ship\b|\bcosmos\b|\bon (the|a) moon\b|太空|星球|宇宙/gi,
  ],
  [
    'underwater',
    /\bunder ?water\b|\bcoral\b|\breef\b|\bdeep sea\b|\bsubmarine\b|\bjellyfish\b|\bscuba\b|水下|海底|水母/gi,
  ],
  [
    'city',
    /\bcity\b|\bskyline\b|\bstreets?\b|\burban\b|\btokyo\b|\bdowntown\b|\balley\b|\brooftops?\b|\bskyscrapers?\b|\bstreet ?(light|lamp)s?\b|\bamsterdam\b|\bparis\b|\bnew york\b|\blondon\b|\bhong kong\b|\bshanghai\b|\btraffic\b|城市|街|天际线|巷|都市/gi,
  ],
  [
    'river',
    /\brivers?\b|\briverbank\b|\b(far|near|other) bank\b|\bstream\b|\bcreek\b|\bcanals?\b|\blakes?\b|\bpond\b|\bfjord\b|\bbrooks?\b|\bspring water\b|\bwaterfalls?\b|河|湖|溪|江|瀑布|泉水/gi,
  ],
  [
    'coast',
    /\bcoast(al|line)?\b|\bislands?\b|\bcliffs?\b|\bshores?\b|\bbeach\b|\bharbou?r\b|\blighthouse (?!keeper)|\blighthouse\b(?! keeper)|\brocky shore\b|海岸|海边|悬崖|沙滩|灯塔(?!看守|守)/gi,
  ],
  [
    'ocean',
    /\boceans?\b|\bseas?\b|\bwaves?\b|\bat sea\b|\bdeck of\b|\baboard\b|\bsail(ing|s)?\b|海洋|大海|海(?![岸边底滩])|波浪/gi,
  ],
  [
    'forest',
    /\bforests?\b|\bwoods?\b|\bwoodland\b|\bjungle\b|(?<!\b(?:cherry|apple|plum) )\btrees\b|\bbamboo\b|森林|树林|竹林|丛林/gi,
  ],
  ['desert', /\bdeserts?\b(?! islands?)|\bdunes?\b|\bcanyons?\b|\bmars\b|沙漠|火星|沙丘/gi],
  [
    'snowfield',
    /\barctic\b|\bglaciers?\b|\btundra\b|\biceberg\b|\bsnow ?fields?\b|\bicy plains?\b|冰川|雪原|雪地|极地/gi,
  ],
  [
    'interior',
    /\binteriors?\b|\brooms?\b|\bkitchen\b|\boffice\b|\bcaf[eé](?![a-zé])|\bbar\b|\brestaurant\b|\blibrary\b|\bbedroom\b|\bstudio\b|\bhallway\b|\bcorridor\b|\bworkshop\b|\blab\b|\btable\b|\bdesk\b|\bwindow ?sill\b|\bsofa\b|\bcouch\b|\bstage\b|\bballroom\b|\bgym\b|\bclassroom\b|\bbakery\b|\bwarehouse\b|\bfactory\b|\bhospital\b|\bmuseum\b|\bchurch\b|\bcathedral\b|\btheat(re|er)\b|\bgarage\b|\barcade\b|\bnight ?club\b|\bcasino\b|\bint\. |室内|房间|厨房|咖啡|餐厅|图书馆/gi,
  ],
  ['road', /\broads?\b|\bhighway\b|\bmotorway\b|公路|道路/gi],
  [
    'field',
    /\bfields?\b|\bmeadows?\b|\bgrass(land|y)?\b|\bfarm\b|\bwheat\b|\bprairie\b|\b(?<!rooftop )gardens?\b|\b(fields?|beds?|sea) of flowers\b|\bwild ?flowers\b|\bvillage\b|\bpark\b|\bsavannah?\b|\bserengeti\b|\bsafari\b|\bvineyard\b|\borchard\b|\bstadium\b|\bpitch\b|田野|草地|草原|花园|公园|茶园|果园|麦田|村/gi,
  ],
  [
    'mountain',
    /\bmountains?\b|\b(mount|mt\.?) [a-z]+|\bhimalayas?\b|\bhills?\b|\bvalleys?\b|\bpeaks?\b|\balps\b|\bvolcano\b|\bridge(s|line)?\b|山/gi,
  ],
  [
    'abstract',
    /\babstract\b|\bliquid\b|\bink\b|\bgeometric\b|\bpatterns?\b|\bparticles\b|\bfluid\b|\blogo\b|\btitle card\b|抽象|流体/gi,
  ],
];

export const SUBJECTS: Vocabulary<SubjectKind> = [
  [
    'couple',
    /\bcouples?\b(?! of)|\btwo (?:[a-z]+ )?(?:samurai|dancers|boys|girls|soldiers|boxers|strangers|sisters|brothers|knights|teenagers|astronauts)\b|\btwo (people|friends|men|women|figures|lovers|kids|children)\b|\bduo\b|情侣|两人|两个人/gi,
  ],
  [
    'crowd',
    /\bcrowds?\b|\bpeople\b|\baudience\b|\bsoldiers\b|\bteam\b|\bguests\b|\bwedding( party)?\b|\borchestra\b|\bchoir\b|\bdancers\b|\bpassengers\b|\bpedestrians\b|\bcommuters\b|人群|观众|行人|乘客|婚礼/gi,
  ],
  ['fox', /\b(red |arctic )?fox(es)?\b|\bvixen\b|狐狸|狐/gi],
  ['wolf', /\bwol(f|ves)\b|\bcoyotes?\b|狼/gi],
  ['dog', /\bdogs?\b|\bpupp(y|ies)\b|\bhusky\b|\bretriever\b|狗|犬/gi],
  ['cat', /\bcats?\b|\bkittens?\b|\blynx\b|猫(?!头鹰)/gi],
  ['deer', /\bdeers?\b|\belk\b|\bstags?\b|\bmoose\b|\breindeer\b|鹿/gi],
  ['horse', /\bhorses?\b|\bmare\b|\bstallion\b|\bpony\b|马(?!路|上)/gi],
  ['bear', /\bbears?\b|熊(?!猫)/gi],
  ['panda', /\b(giant )?pandas?\b|熊猫/gi],
  ['lion', /\blion(s|ess|esses)?\b|狮/gi],
  ['tiger', /\btigers?\b|虎/gi],
  ['leopard', /\b(snow )?leopards?\b|\bjaguars?\b|\bcheetahs?\b|\bpanthers?\b|豹/gi],
  ['dinosaur', /\bdinosaurs?\b|\bbrontosaurus\b|\bdiplodocus\b|\bsauropods?\b|恐龙/gi],
  ['camel', /\bcamels?\b|\bdromedar(y|ies)\b|骆驼/gi],
  ['elephant', /\belephants?\b|\bmammoths?\b|(?<![印气对现图形])象(?![征牙])/gi],
  ['rabbit', /\brabbits?\b|\bbunn(y|ies)\b|\bhares?\b|兔/gi],
  ['cow', /\bcows?\b|\bcattle\b|\bbulls?\b|\boxen\b|\bbuffalos?\b|\bbison\b|牛(?!奶)/gi],
  ['butterfly', /\bbutterfl(y|ies)\b|\bmoths?\b|\bdragonfl(y|ies)\b|\b(honey|bumble)?bees?\b|蝴蝶|蜜蜂/gi],
  ['flower', /\broses?\b|\btulips?\b|\bsunflowers?\b|\blotus\b|\b(a|the|one) flower\b|\bdaisy\b|玫瑰|荷花|花朵/gi],
  [
    'bird',
    /\bbirds?\b|\beagles?\b|\bgulls?\b|\bseagulls?\b|\bowls?\b|\bravens?\b|\bcranes (fly|in flight)\b|\bswans?\b|\bhawk\b|鸟|猫头鹰|鹰|海鸥|\bdragons?\b(?!fl)|(?<!恐)龙(?!头|卷)/gi,
  ],
  ['whale', /\bwhales?\b|\bfish\b|\bsharks?\b|\bdolphins?\b|鲸|鱼|海豚/gi],
  [
    'car',
    /\bcars?\b|\btaxis?\b|\btrucks?\b(?! (left|right|in|out))|\bvans?\b|\bvehicles?\b|\bconvertible\b|\bbus(es)?\b|\bjeeps?\b|\bpickup\b(?! line)|\btractors?\b|汽车|轿车|出租车|跑车/gi,
  ],
  [
    'bike',
    /\bmotor(cycles?|bikes?|cyclists?)\b|\b(bi)?cycles?\b|\bbikes?\b|\bscooters?\b|\bcyclists?\b|\bbikers?\b|摩托|自行车|单车/gi,
  ],
  ['balloon', /\bhot[- ]air balloons?\b|热气球/gi],
  ['plane', /\b(air|aero|jet )?planes?\b|\bairliners?\b|\bjets?\b|\baircraft\b|飞机/gi],
  ['rocket', /\brockets?\b|\b(space ?|star)ships?\b|\bspacecraft\b|\bspace shuttle\b|火箭|飞船/gi],
  ['train', /\btrains?\b|\bmetro\b|\bsubway\b|火车|列车|地铁|高铁/gi],
  ['ship', /\bships?\b|\b(sail ?|row ?|fishing )?boats?\b|\byachts?\b|\bsails?\b(?! (past|by|away))|船|帆/gi],
  ['robot', /\brobots?\b|\bandroids?\b|\bmechs?\b|机器人/gi],
  [
    'person',
    /\blighthouse keepers?\b|\b(man|men|woman|women|girls?|boys?|child|children|kids?|person|figure|hero(ine)?|detective|dancer|runner|chef|actor|actress|astronaut|soldier|travell?er|hiker|he|she|walker|samurai|artist|musician|scientist|keeper|monk|knight|sailor|captain|worker|driver|fisherman|farmer|climber|skier|swimmer|pilot|biker|faces?|barista|photographer|warrior|witch|wizard|king|queen|singer|grandmother|grandfather|couriers?|ballerina|surfer|bride|groom|doctor|nurse|teacher|guitarist|pianist|violinist|drummer|boxer|athlete|footballer|skater|skateboarder|nun|priest|gardener|baker|waiter|waitress|student|lady|guy|mother|father|pirate(?! ship)|viking(?! ship)|ninja|geisha|cowboys?|cowgirl|guards?|guest|divers?|bartender|police(man|woman)|firefighters?|painter|hunter|shepherd|princess|prince|bab(y|ies)|toddler|teenagers?|someone|somebody|customer|miner|librarian|hands(?! of))\b|女人|男人|女孩|男孩|老人|孩子|少女|少年|武士|宇航员|侦探|守塔人|看守|人物|一个人|女子|男子|渔夫|舞者|登山者|厨师|医生|老师|学生|歌手|画家|农民|工人|司机|忍者|公主|王子|母亲|父亲|妈妈|爸爸|奶奶|爷爷|婴儿|牛仔|潜水员|新娘|新郎|将军|女士|先生|小姐|采茶女|(?<![其吉])他(?!们)|她(?!们)|脸/gi,
  ],
  ['lighthouse', /\blighthouses?\b|灯塔/gi],
  [
    'house',
    /\bhouses?\b|\bcabins?\b|\bcottages?\b|\bbarns?\b|\btemples?\b|\bcastles?\b|\bhuts?\b|房子|小屋|木屋|庙|城堡/gi,
  ],
  [
    'product',
    /\bclocks?\b|\bwatch face\b|\bbowls?\b|\bramen\b|\bcoffee\b(?! (shop|house|bar))|\blatte\b|\b(hot )?chocolate\b|\btea\b|\bcocktails?\b|\blipstick\b|\bheadphones\b|钟|碗|咖啡|茶(?![园馆])/gi,
  ],
  [
    'product',
    /\bbottles?\b|\bperfume\b|\bphones?\b|\bwatch\b(?! (the|over|as|from))|\bshoes?\b|\bsneakers?\b|\bcups?\b|\bmugs?\b|\bproducts?\b|\bcan of\b|\bjars?\b|瓶|杯|手机|产品/gi,
  ],
];

export const HEADWEAR: Vocabulary<Headwear> = [
  [
    'souwester',
    /\braincoat\b|\boilskins?\b|\bsou'?wester\b|\brain hat\b|\bfisherman\b|\blighthouse keeper\b|雨衣|渔夫|守塔人/gi,
  ],
  ['hood', /\bknights?\b|\bcrusaders?\b|骑士|\bhood(ed|ie)?\b|\bcloaks?\b|\bmonk\b|\bwitch\b|\bwizard\b|兜帽|斗篷/gi],
  ['helmet', /\bhelmets?\b|\bastronauts?\b|\bpilots?\b|\bbikers?\b|\bspace ?suit\b|头盔|宇航员/gi],
  ['straw', /\bsamurai\b|\bronin\b|\bstraw hat\b|\bconical hat\b|\brice farmers?\b|武士|斗笠|草帽/gi],
  ['toque', /\bchefs?\b|\bbakers?\b|厨师/gi],
  ['brim', /\bhats?\b|\bdetectives?\b|\bcowboys?\b|\bnoir\b|\bfarmers?\b|\bfedora\b|帽|侦探/gi],
  ['cap', /\bcaps?\b|\bbeanie\b|\bsailors?\b|\bcaptain\b|\bskier\b|船长|水手/gi],
];

export const GARMENTS: Vocabulary<Garment> = [
  ['raincoat', /\braincoat\b|\boilskins?\b|\bponcho\b|\bslicker\b|雨衣/gi],
  ['dress', /\bdress\b|\bgown\b|\bskirt\b|\bkimono\b|裙|和服/gi],
  ['coat', /\bcoat\b|\bjacket\b|\bcloak\b|\bdetective\b|\btrench\b|\bparka\b|\bsuit\b|大衣|外套|西装/gi],
];

/** A colour said before a garment: `a yellow raincoat`. Lightness, chroma, hue. */
export const COLOURS: readonly (readonly [lch: readonly [number, number, number], said: string, chinese: string])[] = [
  [[0.82, 0.165, 88], 'yellow', '黄'],
  [[0.56, 0.19, 27], 'red|scarlet|crimson', '红'],
  [[0.52, 0.13, 252], 'blue|navy', '蓝'],
  [[0.56, 0.12, 150], 'green|olive', '绿'],
  [[0.7, 0.16, 55], 'orange', '橙'],
  [[0.74, 0.12, 0], 'pink', '粉'],
  [[0.5, 0.15, 305], 'purple|violet', '紫'],
  [[0.93, 0.012, 90], 'white|cream', '白'],
  [[0.24, 0.012, 270], 'black', '黑'],
  [[0.62, 0.015, 250], 'gr[ea]y|silver', '灰'],
  [[0.48, 0.07, 60], 'brown|tan', '棕'],
];

export const EXTRAS: Vocabulary<Extra> = [
  ['steam engine', /\bsteam (trains?|engines?|locomotives?)\b|\blocomotives?\b|蒸汽(火车|机车)/gi],
  ['campfire', /\b(camp|bon)fires?\b|\bopen fire\b|篝火/gi],
  ['palms', /\bpalm( tree)?s?\b(?! of)|\btropical\b|椰/gi],
  ['village', /\bvillages?\b|\bhamlet\b|村/gi],
  ['books', /\blibrary\b|\bbook ?(shop|store|shelf|shelves)\b|图书馆|书店/gi],
  ['castle', /\bcastles?\b|\bfortress\b|\bpalaces?\b|城堡|宫殿/gi],
  ['dragon', /\bdragons?\b(?!fl)|(?<!恐)龙(?!头|卷)/gi],
  ['umbrella', /\bumbrellas?\b|\bparasols?\b|伞/gi],
  ['table', /\btables?\b|\bdesk\b|桌/gi],
  ['aurora', /\bauroras?\b|\bnorthern lights\b|极光/gi],
  ['fireworks', /\bfireworks?\b|烟花|烟火/gi],
  ['rainbow', /\brainbows?\b|彩虹/gi],
  ['kite', /\bkites?\b|风筝/gi],
  ['beach', /\bbeach(es)?\b|\bseashore\b|\bshore\b(?! ?line)|沙滩|海滩|海边/gi],
  ['skyline', /\bcity\b|\bskyline\b|\btown\b|城市|天际线/gi],
  ['jungle', /\bjungle\b|\brain ?forest\b|\btropical\b|丛林|雨林/gi],
  ['bamboo', /\bbamboo\b|竹/gi],
  ['savanna', /\bsavannah?\b|\bserengeti\b|\bsafari\b|\bafrican?\b/gi],
  ['mars', /\bmars\b|\bmartian\b|\bred planet\b|火星/gi],
  ['waterfall', /\bwaterfalls?\b|瀑布/gi],
  ['raptor', /\beagles?\b|\bhawks?\b|\bfalcons?\b|\bvultures?\b|\bcondors?\b|鹰/gi],
  ['cup', /\bcups?\b|\bmugs?\b|\bcoffee\b|\blatte\b|\bespresso\b|\btea\b|杯|咖啡|(?<!采)茶(?![园馆])/gi],
  ['bowl', /\bbowls?\b|\bramen\b|\bsoup\b|\bnoodles\b|碗|面条/gi],
  ['clock', /\bclocks?\b|\bwatch(es)?\b(?! (the|over|as|from))|钟|手表/gi],
  ['phone', /\b(smart ?)?phones?\b|\btablet\b|手机/gi],
  ['perfume', /\bperfumes?\b|\bfragrance\b|\bcologne\b|香水/gi],
  ['shoe', /\bshoes?\b|\bsneakers?\b|\btrainers\b|鞋/gi],
  ['motor', /\bmotor(cycles?|bikes?|cyclists?)\b|\bscooters?\b|\bbikers?\b|摩托/gi],
  [
    'herd',
    /\bcaravans?\b|\bherds?\b|\bpacks? of\b|\bpride of\b|\bgroup of\b|\b(wolves|foxes|horses|camels|elephants|lions|cows|deers|dogs)\b|群|驼队/gi,
  ],
  ['asleep', /\bsleep(s|ing)?\b|\basleep\b|\bnap(s|ping)?\b|\bcurl(s|ed) up\b|\blying\b|\bdoz(es|ing)\b|睡|躺/gi],
  [
    'talking',
    /\btalk(s|ing)?\b|\bconversation\b|\bchat(s|ting)?\b|\bargu(e|es|ing)\b|\bwhisper(s|ing)?\b|聊|交谈|说话/gi,
  ],
];

export const MOODS: Vocabulary<Mood> = [
  [
    'tense',
    /\btense\b|\bthriller\b|\bhorror\b|\bchase\b|\bdanger(ous)?\b|\bsuspense\b|\bstorm(y)?\b(?! of)|紧张|恐怖/gi,
  ],
  [
    'joyful',
    /\bhappy\b|\bjoy(ful)?\b|\bplayful\b|\bfun\b|\bcheerful\b|\blaugh(s|ing)?\b|\bfestival\b|\benergetic\b|\bcheer(s|ing)\b|\bparty\b|欢乐|快乐/gi,
  ],
  ['sad', /\bsad\b|\blonely\b|\bmelanchol(y|ic)\b|\bgrief\b|\balone\b|\bnoir\b|悲伤|孤独/gi],
  ['epic', /\bepic\b|\bmajestic\b|\bbattle\b|\bheroic\b|\bvast\b|\bgrand\b|史诗|宏大/gi],
];

export const SAID = {
  neon: /\bneon\b|\bcyberpunk\b|霓虹|赛博/i,
  winter: /\bsnow\w*|\bfrozen\b|\bic[ey]\b|\bwinter\b|\bblizzard\b|\bfrost\w*|雪|冰|冬/i,
  storm: /\bstorm\w*(?! of\b)|\bthunder\w*|\bgale\b|\bdownpour\b|\btempest\b|暴风|风暴|雷/i,
  heavier: /\b(harder|heavy|heavier|heavily|thick|dense)\b|大[雪雨]|更大/i,
  walking:
    /\bwalk\w*|\bcross(es|ing)\b|\bstroll\w*|\bhik(es|ing|er)\b|\bstep(s|ping)\b|\bwander\w*|\bmarch\w*|\bpatrol\w*|走|穿过|散步/i,
  running:
    /\brun(s|ning|ner)?\b|\btrot(s|ting)?\b|\bjog\w*|\bgallop\w*|\bchas(es|ing|e)\b|\bsprint\w*|\bdash(es|ing)\b|跑|奔/i,
  stopped:
    /\bstop(s|ped)?\b|\blisten(s|ing)?\b|\bstand(s|ing)?\b|\bwait(s|ing)?\b|\bsit(s|ting)?\b|\bpause(s|d)?\b|\bfreezes\b|站|停|坐|聆听/i,
  looksBack:
    /\blooks? (back|over|round|around)\b|\bturns? (its|his|her|their)? ?(head|back|around)\b|\bglances? back\b|回头|回望/i,
  woman:
    /\bwom[ae]n\b|\bgirls?\b|\bshe\b|\bher\b|\bheroine\b|\bactress\b|\bqueen\b|\bwitch\b|\blady\b|\bgrandmother\b|\bdress\b|\bballerinas?\b|\bbride\b|\bgeisha\b|\bwaitress\b|\bnun\b|女/i,
  child: /\bgirls?\b|\bboys?\b|\bchild(ren)?\b|\bkids?\b|孩/i,
  old: /\bold(er)?\b(?! (lighthouse|house|city|town|barn|boat))|\belderly\b|\bkeeper\b|\bgrand(mother|father)\b|\bwizard\b|\bfisherman\b|老|守塔人/i,
  beard: /\bbeard(ed)?\b|\b(lighthouse )?keeper\b|\bwizard\b|\bfisherman\b|\bcaptain\b|\bviking\b|胡子|守塔人|渔夫/i,
  lantern: /\blanterns?\b|(?<!\bstreet )\blamp\b|\bcandle(light)?\b|\btorch\b|灯笼|提灯|烛/i,
  single: /\b(single|one)[- ](shot|take)\b|\bone continuous\b|\bcontinuous shot\b|\boner\b|单镜头|一镜到底/i,
  indoors:
    /\bbaristas?\b|\bchefs?\b|\bcook(s|ing)?\b|\bbakers?\b|\bballerina\b|\bpianist\b|\bviolinist\b|\bdoctor\b|\bteacher\b|\bscientists?\b|\bat home\b|厨师|咖啡师/i,
  surfaces: /\bbreach(es|ing)?\b|\b(leap|jump)(s|ing)?\b|\bsurfac(es|ing)\b|\bboats?\b|\bships?\b|跃|海面|船/i,
  portrait: /\bportraits?\b|肖像/i,
  several: /\bmulti[- ]?shots?\b|\bmultiple shots\b|\bseveral shots\b|多镜头/i,
} as const;

/** The first thing said: earliest in the text, of two at one place the longer. */
export const first = <Word extends string>(vocabulary: Vocabulary<Word>, text: string): Word | undefined =>
  firstSaid(vocabulary, text)?.word;

/** The same, and how it was said: `person`, `she`. */
export function firstSaid<Word extends string>(
  vocabulary: Vocabulary<Word>,
  text: string,
): { readonly word: Word; readonly as: string } | undefined {
  let found: { readonly word: Word; readonly at: number; readonly as: string } | undefined;
  for (const [word, said] of vocabulary) {
    for (const match of text.matchAll(said)) {
      const [as] = match;
      if (!found || match.index < found.at || (match.index === found.at && as.length > found.as.length))
        found = { word, at: match.index, as };
    }
  }
  return found;
}

/** The text without what it says is *not* there: "no people", "without rain", "没有人". */
export const affirmed = (text: string): string => text.replace(DENIED, ' ');
const DENIED =
  /\b(?:no|without(?: any)?|zero|free of)\s+(?:(?:visible|other|the|an?)\s+)?[a-z]+(?:(?:,? (?:and|or)|,) no [a-z]+| (?:and|or) [a-z]+)*|没有[^，。、,.\s]{1,3}|(?:空)?无一?人(?!机)/gi;

/** Everything said, in the table's order. */
export function all<Word extends string>(vocabulary: Vocabulary<Word>, text: string): Word[] {
  return vocabulary.filter(([, said]) => text.match(said) !== null).map(([word]) => word);
}
