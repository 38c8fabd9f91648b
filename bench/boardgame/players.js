// Pairs that play at a boardgame.io server as quickly as they can, for so many seconds:
// `node players.js URL PAIRS SECONDS`. A move counts until the other player has been told of it.
'use strict';
const { Client } = require('boardgame.io/client');
const { SocketIO } = require('boardgame.io/multiplayer');
const { game, legal } = require('./game');

const [server, pairs, seconds] = process.argv.slice(2);
const lobby = `${server}/games/${game.name}`;

async function post(path, body) {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${lobby}/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return answer.json();
}

async function sitDown() {
  const { matchID } = await post('create', { numPlayers: 2 });
  const seats = [];
  for (const playerID of ['0', '1']) { // one after the other, else one of them is forgotten
    const { playerCredentials } = await post(`${matchID}/join`, { playerID, playerName: playerID });
    seats.push({ matchID, playerID, credentials: playerCredentials });
  }
  return seats;
}

const connected = (client) => new Promise((resolve) => {
  const leave = client.subscribe((state) => {
    if (state && state.isConnected) { leave(); resolve(); }
  });
});

async function openMatch() {
  const multiplayer = SocketIO({ server, socketOpts: { transports: ['websocket'] } });
  const clients = (await sitDown()).map((seat) => Client({ game, multiplayer, debug: false, ...seat }));
  const waits = clients.map((client) => { client.start(); return connected(client); });
  await Promise.all(waits);
  return clients;
}

// Both play until the match is over; the milliseconds that each move took to arrive.
const play = (clients, took) => new Promise((resolve) => {
  let sent = 0, played = -1;
  const look = () => clients.forEach((client) => {
    const state = client.getState();
    if (!state || state.ctx.gameover || state.ctx.currentPlayer !== client.playerID) return;
    if (state.ctx.turn <= played) return;
    const now = performance.now();
    if (sent) took.push(now - sent);
    played = state.ctx.turn;
    sent = now;
    const columns = legal(state.G);
    client.moves.drop(columns[Math.floor(Math.random() * columns.length)]);
  });
  const isOver = () => clients.every((client) => client.getState()?.ctx.gameover);
  for (const client of clients) {
    client.subscribe(() => { if (isOver()) resolve(); else setImmediate(look); });
  }
  look();
});

async function run() {
  const took = [];
  let wall = 0;
  while (wall < Number(seconds) * 1000) {
    const matches = await Promise.all(Array.from({ length: Number(pairs) }, openMatch));
    const began = performance.now();
    await Promise.all(matches.map((clients) => play(clients, took)));
    wall += performance.now() - began;
    matches.flat().forEach((client) => client.stop());
  }
  took.sort((a, b) => a - b);
  const at = (share) => took[Math.floor(share * (took.length - 1))];
  console.log(JSON.stringify({
    moves: took.length, moves_a_second: (1000 * took.length) / wall, p50_ms: at(0.5), p99_ms: at(0.99),
  }));
  process.exit(0);
}

run();
