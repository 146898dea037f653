/* Asks a server with TLS 1.3 for new keys, again and again, and reads nothing: PORT. Exits with 0 once the server closes the
 * connection, and with 1 if it does not. */
#include <arpa/inet.h>
#include <openssl/ssl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

int main(int count, char **words) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(atoi(words[1]))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int peer = socket(AF_INET, SOCK_STREAM, 0), capacity = 4096;
    setsockopt(peer, SOL_SOCKET, SO_RCVBUF, &capacity, sizeof capacity);
    if (connect(peer, (struct sockaddr *)&address, sizeof address) != 0) return 2;

    SSL *session = SSL_new(SSL_CTX_new(TLS_client_method()));
    SSL_set_fd(session, peer);
    if (SSL_connect(session) != 1) return 2;

    BIO *output = BIO_new(BIO_s_mem());
    SSL_set0_wbio(session, output);
    for (int i = 0; i < 4000000; i++) {
        char record[1024];
        SSL_key_update(session, SSL_KEY_UPDATE_REQUESTED);
        SSL_do_handshake(session);
        int length = BIO_read(output, record, sizeof record);
        if (length <= 0) return 2;
        if (send(peer, record, length, MSG_NOSIGNAL) != length) return 0;
    }
    return 1;
}
