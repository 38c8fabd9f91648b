// Made by tools/web_types.py from the Python types; never edited.

/** What every view has, whatever the game. */
export interface View {
  actor: number | null;
  game: string;
  options: Record<string, unknown>;
  ply: number;
  scores: number[];
  seat: number | null;
  winners: number[];
}

/** What a seat sees. */
export interface CaratView extends View {
  chips: Chip[];
  colour_points: Record<string, number>;
  colours: string[];
  hands: (string[] | number)[];
  last: string | null;
  settled_last: number[];
  stock: number;
  tiles: Placed[];
}

/** A chip on its point; the points are numbered row by row. */
export interface Chip {
  prize: number;
  settled: boolean;
  sums: Record<string, number>;
  value: number;
  winner: string | null;
}

/** A tile on the board. */
export interface Placed {
  cell: string;
  tile: string;
}

/** What everybody sees. */
export interface CarnacView extends View {
  columns: number;
  dolmens: Dolmen[];
  rows: number;
  stock: number;
  stones: Stone[];
  tilting: string | null;
}

/** A group of at least three squares of a seat's colour. */
export interface Dolmen {
  seat: number;
  squares: string[];
}

/** A megalith on the board. */
export interface Stone {
  colour: string;
  side: string | null;
  squares: string[];
}

/** What everybody sees. */
export interface CatanDiceView extends View {
  dice: string;
  gained: number;
  phase: string;
  rolls_left: number;
  sheets: Sheet[];
  turn: number;
}

/** A seat's island. */
export interface Sheet {
  boxes: number[];
  cities: string[];
  jokers: number[];
  knights: string[];
  roads: string[];
  settlements: string[];
}

/** What a seat sees. */
export interface KwatroView extends View {
  field: Laid[];
  hands: (string[] | number)[];
  last_play: KwatroPlay | null;
  passes: number;
  pile: number;
  play: KwatroPlay | null;
  under: (string | null)[];
}

/** A card on the field; x to the right, y down, from the start card. */
export interface Laid {
  card: string;
  x: number;
  y: number;
}

/** The cards of one turn and what they score. */
export interface KwatroPlay {
  cells: ([number, number])[];
  lines: Line[];
  points: number;
  seat: number;
}

/** A line that a play made or extended. */
export interface Line {
  cells: ([number, number])[];
  sum: number;
}

/** What the seat to act may expect of its dice as they lie. */
export interface CatanDiceProspects {
  joker: Yield | null;
  lacks: Lack[];
  now: Yield;
}

/** The most points that a turn can still come to, and the moves that lead there. */
export interface Yield {
  moves: string[];
  points: number;
}

/** A building that only dice are missing for. */
export interface Lack {
  missing: string;
  points: number;
  site: string;
}

/** What would come of a move. */
export interface Prospect {
  dolmens: Dolmen[];
  move: string;
}

/** What would come of a card on a cell beside the field, or in the place of a joker. */
export interface Spot {
  points: number | null;
  why: Misfit | null;
  x: number;
  y: number;
}

/** Why a card may not lie on a cell.

    late: swaps come before the cards of a play. apart: it would touch no card. gap: it would
    not go on with this turn's run. long: a line of more than four. line: a line whose cards
    neither agree nor differ in a trait. joker: a joker for a joker. jokers: nothing that the
    jokers could be suits all their lines. */
export interface Misfit {
  axis: "column" | "row" | null;
  cells: ([number, number])[];
  reason: "apart" | "gap" | "joker" | "jokers" | "late" | "line" | "long";
  trait: "colour" | "number" | "shape" | null;
  values: string[];
}

/** Why a move may not be played.

    hand: the tile is not in the hand. taken: a tile lies on the cell. edge: the first tile goes
    on an inner cell. apart: the cell shares no side with a tile. Of chance: chip: none of this
    number is left; points: only this number of points is free; drawn: the tile is not in the
    stock. */
export interface CaratObjection {
  cell: string | null;
  game: "carat";
  number: number | null;
  reason: "apart" | "chip" | "drawn" | "edge" | "hand" | "points" | "taken";
  tile: string | null;
}

/** Why a move may not be played.

    place: there is no stone to tilt or to leave, place one. tilt: first the stone on the square
    falls or is left standing. outside: the board has no such square. taken: the square is not
    empty. fall: the stone on the square cannot fall in this direction, because squares where it
    would lie are outside or taken. */
export interface CarnacObjection {
  direction: "E" | "N" | "S" | "W" | null;
  game: "carnac";
  outside: boolean;
  reason: "fall" | "outside" | "place" | "taken" | "tilt";
  square: string | null;
  taken: string[];
}

/** Why a move may not be played.

    rolling: the dice may still be rolled, keep some or stop first. stands: the result of the
    dice stands. dice: of the faces to keep, some are missing. knight: it has not been built.
    used: its joker has been used. new: it was built this turn, its joker is for later turns.
    same: a joker does not turn a die to the face it shows. face: no die shows it. gold: a trade
    takes two, these are missing. built: the site has been built. order: the site it needs comes
    first. road: the road it needs has not been built. cost: it costs these faces, and some are
    missing. Of chance: count: this number of dice is rolled, not as
    many as these faces. */
export interface CatanDiceObjection {
  faces: string;
  game: "catan_dice";
  missing: string;
  needs: string | null;
  number: number | null;
  reason: "built" | "cost" | "count" | "dice" | "face" | "gold" | "knight" | "new" | "order" | "road" | "rolling" | "same" | "stands" | "used";
  site: string | null;
}

/** Why a move may not be played.

    misfit: the card may not lie on the cell, as the misfit says. taken: the card lies there
    already. joker: no joker lies on the cell. hand: the cards are not in the hand. late: cards
    have been laid this turn, more of them or done must follow. early: no card has been laid this
    turn, so nothing is done. pile: it is empty, so a pass exchanges nothing. Of chance: drawn:
    the card cannot come now. */
export interface KwatroObjection {
  cards: string[];
  cell: [number, number] | null;
  game: "kwatro";
  misfit: Misfit | null;
  reason: "drawn" | "early" | "hand" | "joker" | "late" | "misfit" | "pile" | "taken";
}

/** What the home page shows: open tables, running ones to watch, and one's own. */
export interface Lobby {
  type: "lobby";
  open: TableSummary[];
  running: TableSummary[];
  mine: TableSummary[];
}

/** A table in a list. */
export interface TableSummary {
  id: string;
  game: string;
  options: Record<string, unknown>;
  state: "open" | "over" | "preparing" | "running";
  created: number;
  changed: number;
  listed: boolean;
  rated: boolean;
  clock: ClockView | null;
  seats: SeatView[];
  actor: number | null;
  deadline: number | null;
  scores: number[] | null;
  ply: number;
  result: ResultView | null;
  title: string;
  imported: boolean;
}

/** How long one may think: `live` for a whole match, `move` for each turn. */
export interface ClockView {
  kind: "live" | "move";
  seconds: number;
  increment: number;
}

/** A seat as everybody sees it. */
export interface SeatView {
  kind: "bot" | "invite" | "open" | "person";
  name: string | null;
  player: string | null;
  level: string | null;
  connected: boolean;
  stand_in: boolean;
  resigned: boolean;
  left: number | null;
  invite: string | null;
}

/** How a match ended. */
export interface ResultView {
  reason: "agreed" | "dropped" | "played" | "resigned" | "time";
  winners: number[];
  scores: number[];
  places: number[];
  outcomes: ("alone" | "drawn" | "dropped" | "lost" | "shared" | "won")[];
}

/** A game as one chooses it. */
export interface GameInfo {
  key: string;
  title: string;
  credit: string;
  summary: string;
  rules: number;
  seats: number[];
  draws: boolean;
  options: GameOption[];
  levels: BotLevel[];
  preparing: Preparing | null;
}

/** One of a game's options. */
export interface GameOption {
  name: string;
  default: unknown;
  choices: unknown[];
  summary: string;
}

/** A level and how it plays. */
export interface BotLevel {
  level: string;
  sentence: string;
  solved: boolean;
}

/** What a table waits for: rules being compiled, or a game being solved. */
export interface Preparing {
  what: "rules" | "solution";
  done: number;
  of: number;
}

/** A new table. Seats left out are the creator's and, for the others, open. */
export interface CreateTable {
  game: string;
  options?: Record<string, unknown>;
  seats?: SeatWish[] | null;
  listed?: boolean | null;
  clock?: Clock | null;
  takeback?: boolean;
  hints?: boolean;
  rated?: boolean;
  order?: "fixed" | "lot";
  promise?: boolean;
}

/** Who is to sit somewhere: the creator, anyone, who has the invitation, or a bot. */
export interface SeatWish {
  kind: "bot" | "invite" | "me" | "open";
  level?: "casual" | "expert" | "master" | "novice" | "skilled" | null;
  name?: string | null;
}

/** How long one may think: `live` for a whole match, `move` for each turn. */
export interface Clock {
  kind: "live" | "move";
  seconds: number;
  increment?: number;
}

/** A page of tables, the latest change first; `next` asks for those before. */
export interface TableList {
  tables: TableSummary[];
  next: number | null;
}

/** Oneself. */
export interface Me {
  id: string;
  name: string;
  named: boolean;
  ratings: Record<string, Rating>;
}

/** How strong somebody is: openskill's mean and deviation, and the cautious number shown. */
export interface Rating {
  mu: number;
  sigma: number;
  matches: number;
  shown: number;
}

/** What everybody may know of a player. */
export interface Profile {
  id: string;
  name: string;
  bot: boolean;
  since: number | null;
  ratings: Record<string, Rating>;
  counts: Record<string, Counts>;
}

/** How often somebody's matches of a game ended in which way. */
export interface Counts {
  won: number;
  shared: number;
  drawn: number;
  lost: number;
  alone: number;
}

/** A page of finished matches, the latest first. */
export interface History {
  matches: Past[];
  next: number | null;
}

/** A finished match in somebody's history. */
export interface Past {
  table: string | null;
  game: string;
  at: number;
  seat: number;
  score: number;
  place: number;
  outcome: "alone" | "drawn" | "dropped" | "lost" | "shared" | "won";
  seats: SeatView[];
  scores: number[];
}

/** One of the best scores alone at a table. */
export interface Best {
  table: string | null;
  at: number;
  score: number;
}

/** One of the strongest players of a game. */
export interface Leader {
  player: string;
  name: string;
  bot: boolean;
  rating: Rating;
}

/** A token; the secret itself is told once. */
export interface Token {
  id: string;
  name: string;
  created: number;
  secret?: string;
}

/** A personal link: who opens it within the hour goes on as oneself. */
export interface Link {
  url: string;
  secret: string;
  expires: number;
}

/** One's decisions alone at a table, judged by the game's exact solution. */
export interface CoachView {
  solved: boolean;
  ply: number;
  decisions: Judged[];
}

/** A decision beside the best one. */
export interface Judged {
  ply: number;
  best: string;
  loss: number;
}

/** A match as the watcher may see it after `ply` moves, as shapes, the later above. */
export interface Picture {
  ply: number;
  movers: (number | null)[];
  width: number;
  height: number;
  shapes: (Box | Disc | Area | Label | Path | Stamp)[];
  sides: Side[];
  art: Record<string, Art>;
}

/** A rectangle from its corner at the top left. */
export interface Box {
  kind: "box";
  x: number;
  y: number;
  width: number;
  height: number;
  fill: string;
  edge: string | null;
  round: number;
  name: string;
  moves: string[];
}

/** A circle around its middle. */
export interface Disc {
  kind: "disc";
  x: number;
  y: number;
  radius: number;
  fill: string;
  edge: string | null;
  name: string;
  moves: string[];
}

/** A polygon. */
export interface Area {
  kind: "area";
  points: ([number, number])[];
  fill: string;
  name: string;
  moves: string[];
}

/** Text around its middle, or from its left end. */
export interface Label {
  kind: "label";
  x: number;
  y: number;
  text: string;
  size: number;
  fill: string;
  bold: boolean;
  from_left: boolean;
  name: string;
  moves: string[];
}

/** Lines and curves as in SVG, in units of their own, put where x and y are. */
export interface Path {
  kind: "path";
  d: string;
  fill: string | null;
  edge: string | null;
  line: number;
  dash: number[];
  x: number;
  y: number;
  scale: number;
  turn: number;
  mirrored: boolean;
}

/** The picture's art of this name, put there. */
export interface Stamp {
  kind: "stamp";
  art: string;
  x: number;
  y: number;
  scale: number;
  turn: number;
  faint: number;
}

/** What a seat plays with, where its pieces have a colour. */
export interface Side {
  fill: string;
  name: string;
}

/** Shapes that are stamped, in units of their own; seen inside of `clip` if that is a path. */
export interface Art {
  shapes: (Box | Disc | Area | Label | Path | Stamp)[];
  clip: string;
}

/** What a browser subscribes with at its push service. */
export interface PushKey {
  key: string;
}

/** Have this browser told when one's turn begins and one is not at the table. */
export interface Subscribe {
  endpoint: string;
  keys: SubscriptionKeys;
}

/** What a message to a browser is sealed with. */
export interface SubscriptionKeys {
  p256dh: string;
  auth: string;
}

/** A browser in which one is known by a cookie. */
export interface Device {
  id: string;
  name: string;
  created: number;
  seen: number;
  here: boolean;
}

/** Somebody one is spared. */
export interface Blocked {
  player: string;
  name: string;
}

/** Tell who runs the server what is wrong: with a person, a table, or a line said there. */
export interface MakeReport {
  reason: "cheating" | "insult" | "name" | "other" | "spam";
  player?: string | null;
  table?: string | null;
  line?: number | null;
  words?: string;
}

/** A finished match, some of its positions at a time. */
export interface Replay {
  total: number;
  seat: number | null;
  actors: (number | null)[];
  log: string[];
  steps: ReplayStep[];
}

/** What lay on the table after so many moves. */
export interface ReplayStep {
  ply: number;
  view: View;
}

/** Where somebody had to decide: what they saw, and what they could have done. */
export interface Position {
  ply: number;
  seat: number;
  view: View;
  legal: string[];
}

/** Another move at a decision, to be judged. */
export interface Try {
  ply: number;
  move: string;
  care?: "normal" | "quick" | "thorough";
}

/** What another move would have lost against the best one. */
export interface Tried {
  ply: number;
  move: string;
  loss: Figure;
  error: Figure;
  verdict: "best" | "blunder" | "fine" | "mistake" | "slip";
  exact: boolean;
  reason: Reason | null;
}

/** On both scales: the result from −1 to 1, and points. */
export interface Figure {
  win: number;
  points: number;
}

/** What a move does, in points, as far as the seat could know. */
export interface Reason {
  gain: number;
  answer: number | null;
  by: number | null;
  usual: number | null;
  follow: number | null;
}

/** A new table that goes on from a position of a finished match. */
export interface Branch {
  ply: number;
  seats: SeatWish[];
  chance?: "anew" | "same";
  promise?: boolean;
}

/** A match from elsewhere: a record as JSON, a sheet, or moves of a game typed in. */
export interface ImportRecord {
  text: string;
  game?: string | null;
  options?: Record<string, unknown> | null;
  players?: string[] | null;
}

/** How far an import is good. */
export interface Checked {
  game: string;
  options: Record<string, unknown>;
  players: string[];
  moves: string[];
  actor: number | null;
  legal: string[];
  over: boolean;
  view: View;
  trouble: Trouble | null;
}

/** The first move that is wrong. */
export interface Trouble {
  ply: number;
  move: string;
  sentence: string;
  possible: string[];
  reason: unknown;
}

/** A table as one watcher sees it: whole, but for what it knows of the log and the chat. */
export interface TableMessage {
  type: "table";
  id: string;
  version: number;
  now: number;
  game: string;
  title: string;
  options: Record<string, unknown>;
  rules: number;
  state: "open" | "over" | "preparing" | "running";
  created: number;
  creator: string;
  listed: boolean;
  rated: boolean;
  takeback: boolean;
  hints: boolean;
  order: "fixed" | "lot";
  clock: ClockView | null;
  commitment: string;
  seats: SeatView[];
  mine: number[];
  may: string[];
  watchers: number;
  host: string | null;
  invite: string | null;
  offer: OfferView | null;
  declined: DeclinedView | null;
  chat: ChatLine[];
  chat_since: number;
  muted: string[];
  match: MatchView | null;
  result: ResultView | null;
  preparing: Preparing | null;
  trouble: Refused | null;
  rematch: string | null;
  origin: OriginView | null;
  imported: boolean;
}

/** What a seat offers, and which seats have agreed. */
export interface OfferView {
  kind: "draw" | "rematch" | "takeback";
  seat: number;
  agreed: number[];
}

/** What was offered last and declined since; by the seat that offered it: withdrawn. */
export interface DeclinedView {
  kind: "draw" | "rematch" | "takeback";
  seat: number;
}

/** Something that was said. */
export interface ChatLine {
  number: number;
  at: number;
  player: string;
  name: string;
  text: string;
}

/** The match as the watcher may see it. */
export interface MatchView {
  view: View;
  hidden: boolean;
  legal: string[];
  since: number;
  log: string[];
  turn_since: number | null;
  deadline: number | null;
  steps: StepView[];
}

/** A position on the way to the present one, as the watcher may see it. */
export interface StepView {
  ply: number;
  seat: number | null;
  view: View;
}

/** The answer to what could not be done; nothing has changed. */
export interface Refused {
  type: "refused";
  code: string;
  sentence: string;
  id: string;
  reason: Record<string, unknown> | null;
}

/** The position of another match from which this one goes on. */
export interface OriginView {
  table: string;
  ply: number;
  chance: "anew" | "same";
}

/** What differs from the message before; `chat` is empty where it is left out. */
export interface ChangeMessage {
  type: "change";
  after: number;
  version: number;
  now: number;
  state?: "open" | "over" | "preparing" | "running";
  seats?: SeatView[];
  mine?: number[];
  may?: string[];
  watchers?: number;
  invite?: string | null;
  offer?: OfferView | null;
  declined?: DeclinedView | null;
  chat?: ChatLine[];
  chat_since?: number;
  muted?: string[];
  match?: MatchChange;
  result?: ResultView | null;
  preparing?: Preparing | null;
  trouble?: Refused | null;
  rematch?: string | null;
}

/** What differs in a match; `log` and `steps` are empty where they are left out. */
export interface MatchChange {
  view?: Record<string, unknown>;
  legal?: string[];
  since?: number;
  log?: string[];
  turn_since?: number | null;
  deadline?: number | null;
  steps?: StepView[];
}

/** The answer to a command that was carried out. */
export interface Accepted {
  type: "accepted";
  id: string;
  version: number;
  ply: number;
  table: string | null;
  hints: HintView[];
}

/** A move that is advised, and what speaks for it. */
export interface HintView {
  move: string;
  reason: Reason | null;
}

/** Yes. */
export interface Pong {
  type: "pong";
  now: number;
}

/** Play a move. `ply` says which position it is meant for. */
export interface ServerPlay {
  type: "play";
  id?: string;
  ply: number;
  move: string;
}

/** Take a seat: a certain one, one kept for the invited, or any that is open. */
export interface Sit {
  type: "sit";
  id?: string;
  seat?: number | null;
  invite?: string | null;
  name?: string | null;
  promise?: boolean;
}

/** Add one's part to the luck of the match, once, before it begins. */
export interface Shuffle {
  type: "shuffle";
  id?: string;
  part: string;
}

/** Get up from a table that has not started. */
export interface Leave {
  type: "leave";
  id?: string;
}

/** Start at once; bots of this level take the seats that are still open. */
export interface Start {
  type: "start";
  id?: string;
  level?: "casual" | "expert" | "master" | "novice" | "skilled";
}

/** Ask the others to let one take a move back, to agree on a draw, or to play again. */
export interface Offer {
  type: "offer";
  id?: string;
  kind: "draw" | "rematch" | "takeback";
}

/** Answer what another seat offers; or withdraw what one offers oneself. */
export interface Reply {
  type: "reply";
  id?: string;
  accept: boolean;
}

/** Give the match up, for one seat of one's own. */
export interface Resign {
  type: "resign";
  id?: string;
  seat?: number | null;
}

/** Let a bot play for somebody who is away. */
export interface HandOver {
  type: "handover";
  id?: string;
  seat: number;
  level?: "casual" | "expert" | "master" | "novice" | "skilled";
}

/** Take one's seat back from the bot that played for one. */
export interface Return {
  type: "return";
  id?: string;
}

/** Say something to everybody at the table. */
export interface Chat {
  type: "chat";
  id?: string;
  text: string;
}

/** The creator lets somebody speak at the table no more, or again. */
export interface Mute {
  type: "mute";
  id?: string;
  player: string;
  muted?: boolean;
}

/** Ask what an expert would play, who knows no more than oneself. */
export interface Hint {
  type: "hint";
  id?: string;
}

/** Let the game be solved, so that one's decisions alone at a table can be judged. */
export interface Solve {
  type: "solve";
  id?: string;
}

/** Are you there? */
export interface Ping {
  type: "ping";
}

/** What has changed since the message before. Lists are ordered by `changed`, the last first. */
export interface LobbyChange {
  type: "lobby-change";
  open: TableSummary[];
  running: TableSummary[];
  gone: string[];
  mine: TableSummary[];
  mine_gone: string[];
}

/** A review as far as it is; the lists have what is new since the message before. */
export interface ReviewMessage {
  type: "review";
  judge: string;
  care: "normal" | "quick" | "thorough";
  state: "done" | "making" | "none" | "stopped" | "waiting";
  ahead: number;
  done: number;
  total: number;
  decided: number;
  decisions_total: number;
  scale: "points" | "win";
  ended: boolean;
  since: number;
  decisions: DecisionView[];
  chances: ChanceView[];
  worth: WorthView[];
  seats: AccountView[];
  preparing: Preparing | null;
}

/** A move that somebody made, and what it lost against the best one. */
export interface DecisionView {
  ply: number;
  seat: number;
  move: string;
  best: string;
  loss: Figure;
  error: Figure;
  verdict: "best" | "blunder" | "fine" | "mistake" | "slip";
  exact: boolean;
  forced: boolean;
  options: OptionView[];
}

/** A move that was weighed. */
export interface OptionView {
  move: string;
  worth: Figure;
  reason: Reason | null;
}

/** A draw, a roll, a lay-out, and what it changed for each seat. */
export interface ChanceView {
  ply: number;
  outcome: string;
  luck: Figure[];
  sampled: boolean;
}

/** What each seat could expect before a ply; after the last one, what they came to. */
export interface WorthView {
  ply: number;
  seats: Figure[];
}

/** How a seat came to its result: start + luck + own + others + unexplained = result. */
export interface AccountView {
  seat: number;
  start: Figure;
  luck: Figure;
  own: Figure;
  others: Figure;
  unexplained: Figure;
  result: Figure;
  adjusted: Figure;
  accuracy: number | null;
  verdicts: Record<string, number>;
}

/** Have the review made, or made with more care. */
export interface AskReview {
  type: "ask";
  care?: "normal" | "quick" | "thorough";
}

/** Judge this ply before the others. */
export interface LookNext {
  type: "next";
  ply: number;
}

/** No longer wanted; what has been found is kept. */
export interface StopReview {
  type: "stop";
}

/** Are you there? */
export interface ReviewPing {
  type: "ping";
}

export type FromServer = TableMessage | ChangeMessage | Accepted | Refused | Pong;

export type AnyCommand = ServerPlay | Sit | Shuffle | Leave | Start | Offer | Reply | Resign | HandOver | Return | Chat | Mute | Hint | Solve;

export type ToServer = ServerPlay | Sit | Shuffle | Leave | Start | Offer | Reply | Resign | HandOver | Return | Chat | Mute | Hint | Solve | Ping;

export type FromLobby = Lobby | LobbyChange | Refused | Pong;

export type FromReviewer = ReviewMessage | Refused | Pong;

export type ToReviewer = AskReview | LookNext | StopReview | ReviewPing;

export type Objection = CaratObjection | CarnacObjection | CatanDiceObjection | KwatroObjection;
