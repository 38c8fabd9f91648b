// A boardgame.io server that keeps its matches in files: `node server.js FOLDER` says its port.
'use strict';
const { Server, FlatFile, Origins } = require('boardgame.io/server');
const { game } = require('./game');

const [dir] = process.argv.slice(2);
const server = Server({ games: [game], db: new FlatFile({ dir }), origins: [Origins.LOCALHOST] });
server.run(0).then(({ appServer }) => console.log(`port ${appServer.address().port}`));
