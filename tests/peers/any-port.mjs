// Preloaded (`node --import`) before an example server that insists on a port: it then listens on
// the one that PORT names.
import net from 'node:net';

const listen = net.Server.prototype.listen;
net.Server.prototype.listen = function (first, ...rest) {
  return listen.call(this, typeof first === 'number' ? Number(process.env.PORT) : first, ...rest);
};
