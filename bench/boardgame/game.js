// Connect four as boardgame.io wants it.
'use strict';
const { INVALID_MOVE } = require('boardgame.io/core');

const COLUMNS = 7, ROWS = 6;
const WAYS = [[1, 0], [0, 1], [1, 1], [1, -1]];

function hasFour(board, column, row, seat) {
  return WAYS.some(([right, up]) => {
    let discs = 1;
    for (const sign of [1, -1]) {
      let c = column + sign * right, r = row + sign * up;
      while (c >= 0 && c < COLUMNS && r >= 0 && board[c][r] === seat) {
        discs += 1; c += sign * right; r += sign * up;
      }
    }
    return discs >= 4;
  });
}

const game = {
  name: 'connect-four',
  setup: () => ({ board: Array.from({ length: COLUMNS }, () => []), winner: null, discs: 0 }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    drop: ({ G, playerID }, column) => {
      if (G.board[column].length === ROWS) return INVALID_MOVE;
      G.board[column].push(playerID);
      G.discs += 1;
      if (hasFour(G.board, column, G.board[column].length - 1, playerID)) G.winner = playerID;
    },
  },
  endIf: ({ G }) => {
    if (G.winner !== null) return { winner: G.winner };
    if (G.discs === COLUMNS * ROWS) return { draw: true };
  },
  ai: {
    enumerate: (G) => legal(G).map((column) => ({ move: 'drop', args: [column] })),
  },
};

const legal = (G) => [...Array(COLUMNS).keys()].filter((c) => G.board[c].length < ROWS);

module.exports = { game, legal };
