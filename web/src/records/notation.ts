// How a game's moves are written, told by its folder.

/** Moves as one types them, and what they mean. */
export type Notation = { moves: string[]; text: () => string }[];
